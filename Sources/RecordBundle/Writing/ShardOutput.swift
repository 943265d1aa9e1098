import Foundation
import RecordPlatform

/// Where the files of a bundle go: one, or several with numbers in their names.
final class ShardOutput {
  /// What errors call the bundle.
  let name: String
  let splitSize: Int?
  let frameOptions: FrameWriter.Options
  private let mustNotExist: Bool
  private var sinks: [any FrameSink] = []

  /// The smallest file that a split may make, in bytes.
  static let smallestSplit = 64 << 10
  /// The number of files a split may make.
  static let mostShards = 500

  init(path: String, options: BundleWriter.Options, mustNotExist: Bool) throws {
    name = path == "-" ? "standard output" : path
    splitSize = options.splitSize
    self.mustNotExist = mustNotExist
    var frames = FrameWriter.Options()
    frames.level = options.level
    frames.frameSize = options.frameSize
    frames.threads = options.threads
    if let size = options.splitSize {
      guard path != "-" else {
        throw FrameError(.misuse, in: name, "standard output cannot be split into several files")
      }
      guard size >= Self.smallestSplit else {
        throw FrameError(
          .misuse, in: name,
          "the split size is \(size) bytes; possible are \(Self.smallestSplit) and more")
      }
      // Several frames must fit into a file, or a file could hold next to nothing.
      frames.frameSize = min(frames.frameSize, max(4096, size / 8))
    }
    try frames.check(for: name)
    frameOptions = frames
  }

  var isSplit: Bool { splitSize != nil }

  func nextSink() throws -> any FrameSink {
    let sink: any FrameSink
    if name == "standard output" && splitSize == nil {
      sink = DescriptorSink(descriptor: 1, name: name)
    } else if splitSize == nil {
      sink = try FrameOutput.open(path: name, mustNotExist: mustNotExist)
    } else {
      guard sinks.count < Self.mostShards else {
        throw FrameError(
          .limitExceeded, in: name,
          "the bundle would have more than \(Self.mostShards) files: choose a larger split size")
      }
      // All files stay open, and locked, until the last one is whole.
      SystemCall.reserveDescriptors(32)
      let path = ShardNames.path(of: sinks.count + 1, for: name)
      sink = try FrameOutput.open(path: path, mustNotExist: mustNotExist)
    }
    sinks.append(sink)
    return sink
  }

  /// Puts all files in place, and removes those of a bundle in more files that lay there before.
  ///
  /// A set is no single file: who is ended between the first and the last rename leaves files of two
  /// sets, which every reader refuses. So all bytes are on the disk before the first.
  func commit() throws {
    guard isSplit else { return try sinks.forEach { try $0.commit() } }
    for sink in sinks { try sink.prepareToCommit() }
    for sink in sinks { try sink.commit() }
    if !mustNotExist { removeLeftShards() }
    do {
      try PartialFile.syncDirectory(of: name)
    } catch let error as SystemError {
      throw FrameError.system(error.number, in: name, error.action)
    }
  }

  /// Removes further files, the last one first: who is ended meanwhile leaves no gap, behind which
  /// the next one would not look.
  private func removeLeftShards() {
    for number in leftShards().sorted(by: >) where isOwnShard(number) {
      unlink(ShardNames.path(of: number, for: name))
    }
  }

  /// The numbers of further files that lie there.
  private func leftShards() -> [Int] {
    let folder = URL(filePath: name).deletingLastPathComponent().path
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let first = URL(filePath: ShardNames.path(of: 1, for: name)).lastPathComponent
    return names.compactMap { file in
      guard let number = ShardNames.number(in: prefix + file), number > sinks.count,
        ShardNames.sibling(1, of: file, numbered: number) == first
      else { return nil }
      return number
    }
  }

  /// Whether a file of that number lies there which is one of a split bundle.
  private func isOwnShard(_ number: Int) -> Bool {
    let path = ShardNames.path(of: number, for: name)
    guard FileManager.default.fileExists(atPath: path),
      let file = try? BundleFile(RandomAccessFile(path: path), upgrade: .standard)
    else { return false }
    return file.header.shard?.number == number
  }

  func discard() {
    for sink in sinks { sink.discard() }
  }
}
