import RecordCoding
import RecordModel

/// An open file of a bundle, whose header and index have been read and match the file.
final class BundleFile: Sendable {
  let frames: FrameReader
  /// SHA-256 of the index frame.
  let indexSHA256: String
  let header: BundleHeader
  let index: BundleIndex
  /// The number of each frame's first line, from 1.
  let firstLines: [Int]

  var name: String { frames.file.name }

  /// Opens a file; `-` is standard input.
  convenience init(path: String) throws {
    try self.init(path == "-" ? RandomAccessFile.standardInput() : RandomAccessFile(path: path))
  }

  init(_ file: RandomAccessFile) throws {
    let frames = try FrameReader(file: file)
    indexSHA256 = frames.table[frames.frameCount - 1].digest?.description ?? ""
    let name = file.name
    let header = try frames.withFrame(0) { content in
      var lines = content.lines
      guard let line = lines.next() else {
        throw BundleError(.notABundle, in: name, line: 1, "the file has no lines")
      }
      return try LineLocation(source: name, line: 1).naming {
        try BundleHeader(line: line, of: name)
      }
    }
    self.header = header
    let last = frames.frameCount - 1
    guard last > 0 else {
      throw BundleError(
        .notABundle, in: name,
        "the file has a single frame; a bundle has at least two, of header and index")
    }
    let index = try frames.withFrame(last) { content in
      var lines = content.lines
      let line = lines.next() ?? UnsafeRawBufferPointer(start: nil, count: 0)
      guard lines.next() == nil else {
        throw BundleError(
          .malformed, in: name, "the last frame has more than one line; it should be the index")
      }
      do {
        return try BundleIndex(line: line, of: name)
      } catch let error as RecordCodingError {
        throw BundleError(.malformed, in: name, "the index, which is the last line: \(error)")
      }
    }
    self.index = index
    // From here on, frames are checked against the index, so the header is read again.
    self.frames = FrameReader(
      file: file, table: frames.table.adding(digests: index.frames.map(\.digest)),
      limits: frames.limits)
    var line = 1
    firstLines = index.frames.map { frame in
      defer { line += frame.lines }
      return line
    }
    try checkFrames()
    try self.frames.withFrame(0) { _ in }
  }

  /// Checks that the index lists the frames of the file.
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
          "the locations of frame \(number) in the index and the seek table differ")
      }
    }
    guard index.frames[0].lines == 1 else {
      throw BundleError(
        .malformed, in: name, "the first frame has lines besides the header")
    }
    guard (index.isLastShard == nil) == (header.shard == nil) else {
      throw BundleError(
        .mismatch, in: name,
        "header and index disagree on whether the file belongs to a split bundle")
    }
  }

  /// Returns the contribution of the header line to the content hash.
  func headerHash() throws -> ContentHash {
    try frames.withFrame(0) { content in
      var lines = content.lines
      return try lines.next().map(BundleHeader.contentHash) ?? ContentHash()
    }
  }

  /// Whether the index is, byte for byte, what a writer writes.
  func hasCanonicalIndex() throws -> Bool {
    try frames.withFrame(frames.frameCount - 1) { content in
      let expected = ByteBuffer(capacity: content.bytes.count)
      index.jsonValue.write(to: expected)
      expected.append(UInt8(ascii: "\n"))
      return compareBytes(expected.bytes, content.bytes) == 0
    }
  }

  /// The frames before the index.
  var contentFrames: Range<Int> { 0..<index.frames.count }

  /// Reads a frame on the caller's thread.
  ///
  /// - Parameters:
  ///   - isEnough: whether a line is the last that is needed; asked for some lines. Nil for all lines.
  ///   - body: receives the lines at least up to one for which `isEnough` was true, or all.
  func withFrame<R>(
    _ number: Int, until isEnough: ((UnsafeRawBufferPointer, RecordJSONReader) -> Bool)? = nil,
    _ body: (BundleFrame) throws -> R
  ) throws -> R {
    let reader = RecordJSONReader()
    return try frames.withFrame(number, until: isEnough.map { test in { test($0, reader) } }) {
      try body(BundleFrame(file: self, content: $0, reader: reader))
    }
  }
}
