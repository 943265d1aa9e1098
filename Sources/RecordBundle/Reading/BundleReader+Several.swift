extension BundleReader {
  /// Opens several files at once: each whole bundle, and the files of each split bundle put
  /// together, in the order of their first files.
  ///
  /// - Parameter paths: bundles, and files of split bundles; of a split bundle all files or, where
  ///   it is named alone, any one. `-` is standard input.
  /// - Throws: as ``init(paths:)``.
  public static func open(_ paths: [String]) throws -> [BundleReader] {
    if paths.count == 1 { return [try BundleReader(paths: paths)] }
    let files = try paths.map { path in
      try BundleFile(
        path == "-" ? RandomAccessFile.standardInput() : RandomAccessFile(path: path),
        upgrade: .standard)
    }
    return try groups(of: files).map { try BundleReader(files: $0) }
  }

  /// Files of split bundles name the digest of the file before them: that makes chains.
  private static func groups(of files: [BundleFile]) throws -> [[BundleFile]] {
    var followers: [String: BundleFile] = [:]
    var rest: Set<ObjectIdentifier> = []
    for file in files {
      guard let previous = file.header.shard?.previousSHA256 else { continue }
      guard followers.updateValue(file, forKey: previous) == nil else {
        throw BundleError(.shards, in: file.name, "this file of a split bundle was given twice")
      }
      rest.insert(ObjectIdentifier(file))
    }
    var groups: [[BundleFile]] = []
    for file in files where file.header.shard?.previousSHA256 == nil {
      var group = [file]
      while let next = followers[group[group.count - 1].indexSHA256],
        group[0].header.shard != nil, rest.remove(ObjectIdentifier(next)) != nil
      {
        group.append(next)
      }
      groups.append(group)
    }
    // What follows no file that was given makes a bundle with a gap, whose error names it.
    let orphans = files.filter { rest.contains(ObjectIdentifier($0)) }
    return orphans.isEmpty ? groups : groups + [orphans]
  }
}
