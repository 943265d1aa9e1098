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
        throw FrameError(.misuse, in: name, "standard output cannot be split into several files")
      }
      guard size >= Self.minSplit else {
        throw FrameError(
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
        throw FrameError(
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
  /// rename leaves files of two sets, which every reader refuses. So all bytes are synced before.
  func commit() throws {
    guard isSplit else { return try sinks.forEach { try $0.commit() } }
    for sink in sinks { try sink.prepareToCommit() }
    for sink in sinks { try sink.commit() }
    if overwrite { removeLeftShards() }
    do {
      try PartialFile.syncDirectory(of: path)
    } catch let error as SystemError {
      throw FrameError.system(error.number, in: name, error.action)
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
