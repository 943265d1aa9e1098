import Foundation
import RecordPlatform

/// The output files of a bundle: one, or several with numbers in their names.
final class ShardOutput {
  /// The name of the bundle in errors.
  let name: String
  private let path: String
  let splitSize: Int?
  let frameOptions: FrameWriter.Options
  private let overwrite: Bool
  private var sinks: [any FrameSink] = []

  /// The minimum split size in bytes.
  static let minSplit = 64 << 10
  /// The maximum number of files of a split bundle.
  static let maxShards = 500

  init(path: String, options: BundleWriter.Options, overwrite: Bool) throws {
    name = path == "-" ? "standard output" : path
    self.path = path
    splitSize = options.splitSize
    self.overwrite = overwrite
    var frames = FrameWriter.Options()
    frames.level = options.level
    frames.frameSize = options.frameSize
    frames.threads = options.threads
    if let size = options.splitSize {
      guard path != "-" else {
        throw BundleError(.misuse, in: name, "standard output cannot be split into several files")
      }
      guard size >= Self.minSplit else {
        throw BundleError(
          .misuse, in: name,
          "the split size is \(size) bytes; the minimum is \(Self.minSplit)")
      }
      // Several frames must fit into a file, or a file could hold very few lines.
      frames.frameSize = min(frames.frameSize, max(4096, size / 8))
    }
    try frames.check(for: name)
    frameOptions = frames
    guard path != "-" else { return }
    // The next export may have fewer files than one that was killed.
    PartialFile.removeLeftovers(in: SplitPath(path).openableDirectory) { number(of: $0) != nil }
  }

  var isSplit: Bool { splitSize != nil }

  func nextSink() throws -> any FrameSink {
    var path = path
    if isSplit {
      guard sinks.count < Self.maxShards else {
        throw BundleError(
          .limitExceeded, in: name,
          "the bundle would have more than \(Self.maxShards) files: choose a larger split size")
      }
      // All files stay open, and locked, until the last one is complete.
      SystemCall.reserveDescriptors(32)
      path = ShardNames.path(of: sinks.count + 1, for: path)
    }
    let sink = try FrameOutput.open(path: path, overwrite: overwrite)
    sinks.append(sink)
    return sink
  }

  /// Renames all files, and removes the surplus files of a replaced bundle with more files.
  ///
  /// Renaming several files is not atomic: a process that ends between the first and the last
  /// rename leaves files of two sets, which every reader rejects. So all bytes are synced before.
  func commit() throws {
    guard isSplit else { return try sinks.forEach { try $0.commit() } }
    for sink in sinks { try sink.prepareToCommit() }
    for sink in sinks { try sink.commit() }
    if overwrite { removeLeftShards() }
    do {
      try PartialFile.syncDirectory(of: path)
    } catch let error as SystemError {
      throw BundleError.system(error.number, in: name, error.action)
    }
  }

  /// Removes surplus files, the last one first, so that an interruption leaves no gap.
  private func removeLeftShards() {
    for number in leftShards().sorted(by: >) where isOwnShard(number) {
      unlink(ShardNames.path(of: number, for: path))
    }
  }

  /// Returns the numbers of surplus files in the directory.
  private func leftShards() -> [Int] {
    let folder = SplitPath(path).openableDirectory
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap(number).filter { $0 > sinks.count }
  }

  /// Returns the number of a file of this bundle; nil for other names.
  private func number(of name: String) -> Int? {
    let first = SplitPath(ShardNames.path(of: 1, for: path)).name
    guard let number = ShardNames.number(in: name),
      ShardNames.sibling(1, of: name, numbered: number) == first
    else { return nil }
    return number
  }

  /// Whether the file of that number exists and belongs to a split bundle.
  private func isOwnShard(_ number: Int) -> Bool {
    let path = ShardNames.path(of: number, for: path)
    guard FileManager.default.fileExists(atPath: path),
      let file = try? BundleFile(RandomAccessFile(path: path))
    else { return false }
    return file.header.shard?.number == number
  }

  func discard() {
    for sink in sinks { sink.discard() }
  }
}

/// The names of the files of a split bundle.
enum ShardNames {
  /// Returns `NAME-00001.recordpack` for `NAME.recordpack`.
  static func path(of number: Int, for path: String) -> String {
    let suffix = String(format: "-%05ld", number)
    let end = stem(of: path).endIndex
    return path[..<end] + suffix + path[end...]
  }

  /// Returns the name of a file without its extension.
  private static func stem(of path: String) -> Substring {
    let bytes = path.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? path.startIndex
    let dot = bytes[start...].lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > start ? $0 : nil }
    return path[start..<(dot ?? path.endIndex)]
  }

  /// Returns every path that a bundle may be written to.
  static func paths(for path: String, isSplit: Bool) -> [String] {
    isSplit ? (1...ShardOutput.maxShards).map { Self.path(of: $0, for: path) } : [path]
  }

  /// Returns the number at the end of a file's name and its range; nil if there is none.
  private static func mark(in path: String) -> (number: Int, range: Range<String.Index>)? {
    let stem = stem(of: path)
    guard let dash = stem.lastIndex(of: "-") else { return nil }
    let digits = stem[stem.index(after: dash)...]
    guard digits.utf8.count >= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits), number > 0
    else { return nil }
    return (number, dash..<stem.endIndex)
  }

  /// Returns the number of a file of a split bundle according to its name; nil if it has none.
  static func number(in path: String) -> Int? { mark(in: path)?.number }

  /// Returns the path of another file of the same bundle; nil if the name does not have the number.
  static func sibling(_ number: Int, of path: String, numbered own: Int) -> String? {
    guard let mark = mark(in: path), mark.number == own else { return nil }
    return Self.path(of: number, for: path.replacingCharacters(in: mark.range, with: ""))
  }
}

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
