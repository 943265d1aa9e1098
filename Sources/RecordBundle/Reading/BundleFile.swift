import RecordCoding

/// One file of a bundle, opened: its header and index were read and fit the file.
final class BundleFile: Sendable {
  let frames: FrameReader
  let header: BundleHeader
  let index: BundleIndex
  /// What makes lines of the current version out of the file's.
  let upgrade: FormatUpgrade
  /// The number of the first line of each frame, from 1.
  private let firstLines: [Int]

  var name: String { frames.file.name }

  init(_ file: RandomAccessFile, upgrade: FormatUpgrade) throws {
    frames = try FrameReader(file: file)
    self.upgrade = upgrade
    let name = file.name
    let header = try frames.withFrame(0) { content in
      var lines = content.lines
      guard let line = lines.next() else {
        throw BundleError(.notABundle, in: name, line: 1, "the file has no lines")
      }
      return try LinePlace(source: name, line: 1).naming {
        try BundleHeader(line: line, of: name, upgrade: upgrade)
      }
    }
    self.header = header
    let last = frames.frameCount - 1
    guard last > 0 else {
      throw BundleError(
        .notABundle, in: name,
        "the file has a single frame; a bundle has the header's and the index's")
    }
    index = try frames.withFrame(last) { content in
      var lines = content.lines
      let line = lines.next() ?? UnsafeRawBufferPointer(start: nil, count: 0)
      guard lines.next() == nil else {
        throw BundleError(
          .malformed, in: name, "the last frame holds more than one line; it should be the index")
      }
      do {
        return try BundleIndex(
          line: line, of: name, from: header.formatVersion, upgrade: upgrade)
      } catch let error as RecordCodingError {
        throw BundleError(.malformed, in: name, "the index, which is the last line: \(error)")
      }
    }
    var line = 1
    firstLines = index.frames.map { frame in
      defer { line += frame.lines }
      return line
    }
    try checkFrames()
  }

  /// Whether the index speaks of the frames that are there.
  private func checkFrames() throws {
    guard index.frames.count == frames.frameCount - 1 else {
      throw BundleError(
        .mismatch, in: name,
        "the index lists \(index.frames.count) frames, and the file has \(frames.frameCount - 1) "
          + "before it")
    }
    for (number, frame) in index.frames.enumerated() {
      let location = frames.table[number]
      guard frame.offset == location.offset, frame.compressedSize == location.compressedSize,
        frame.size == location.size
      else {
        throw BundleError(
          .mismatch, in: name,
          "the index says that frame \(number) lies elsewhere than the seek table does")
      }
    }
  }

  /// The frames that lines lie in, the index's own left out.
  var contentFrames: Range<Int> { 0..<index.frames.count }

  /// The place of a frame's line.
  func place(frame: Int, line: Int) -> LinePlace {
    LinePlace(source: name, line: firstLines[frame] + line)
  }
}
