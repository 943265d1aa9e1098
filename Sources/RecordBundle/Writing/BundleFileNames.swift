import Foundation

/// The files that belong to the path of a bundle.
package enum BundleFileNames {
  /// Returns the files that are read for a path: for a split bundle, all of its files.
  ///
  /// If the bundle is damaged, these are all files whose names match.
  package static func read(at path: String) -> [String] {
    guard path != "-", let own = ShardNames.number(in: path) else { return [path] }
    if let bundle = try? BundleReader(path: path) { return bundle.fileNames }
    if let file = try? BundleFile(RandomAccessFile(path: path)),
      file.header.shard == nil
    {
      return [path]
    }
    let others = (1...ShardOutput.maxShards).compactMap {
      ShardNames.sibling($0, of: path, numbered: own)
    }
    return [path] + others.filter { $0 != path && FileManager.default.fileExists(atPath: $0) }
  }

  /// Returns the files that a bundle may be written to, and those that it may remove.
  package static func written(to path: String, isSplit: Bool) -> [String] {
    guard isSplit, path != "-" else { return [path] }
    return [path] + ShardNames.paths(for: path, isSplit: true)
  }
}
