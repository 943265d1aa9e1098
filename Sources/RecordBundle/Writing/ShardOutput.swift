import Foundation

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
      let path = ShardNames.path(of: sinks.count + 1, for: name)
      sink = try FrameOutput.open(path: path, mustNotExist: mustNotExist)
    }
    sinks.append(sink)
    return sink
  }

  func commit() throws {
    for sink in sinks { try sink.commit() }
  }

  func discard() {
    for sink in sinks { sink.discard() }
  }
}

/// How the files of a split bundle are named.
enum ShardNames {
  /// `NAME-00001.recordpack` for `NAME.recordpack`.
  static func path(of number: Int, for path: String) -> String {
    let digits = String(number)
    let suffix = "-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    let nameStart = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    guard let dot = path.lastIndex(of: "."), dot > nameStart else { return path + suffix }
    return path[..<dot] + suffix + path[dot...]
  }

  /// The path of another file of the same bundle; nil where the name holds no number.
  static func sibling(_ number: Int, of path: String, numbered own: Int) -> String? {
    let digits = String(own)
    let mark = "-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    guard let range = path.range(of: mark, options: .backwards) else { return nil }
    return Self.path(
      of: number, for: path.replacingCharacters(in: range, with: ""))
  }
}
