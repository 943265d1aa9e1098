import RecordCoding

/// The verified content of a frame: whole lines, of which the last ends with a newline, too.
///
/// The bytes are valid only in the closure that receives them.
struct FrameContent {
  let location: FrameLocation
  /// The lines with their newlines, followed by ``ByteBuffer/slack`` readable zero bytes.
  let bytes: UnsafeRawBufferPointer

  var index: Int { location.index }
  /// The lines, without their newlines.
  var lines: FrameLines { FrameLines(bytes) }
}

/// One of several parts of a frame's lines, of about the same size.
struct FramePart: Sendable {
  var number: Int
  var count: Int

  static let whole = FramePart(number: 0, count: 1)
}

extension FrameContent {
  /// Returns the lines of a part, and the number of lines before it.
  func part(_ part: FramePart) -> (content: FrameContent, linesBefore: Int) {
    guard part.count > 1 else { return (self, 0) }
    let start = boundary(part.number, of: part.count)
    let end = boundary(part.number + 1, of: part.count)
    let before = FrameLines(UnsafeRawBufferPointer(rebasing: bytes[..<start]))
    return (
      FrameContent(location: location, bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<end])),
      before.reduce(0) { count, _ in count + 1 }
    )
  }

  /// The place of the first line that begins after a fraction of the bytes.
  private func boundary(_ number: Int, of count: Int) -> Int {
    if number == 0 { return 0 }
    if number == count { return bytes.count }
    return bytes.firstNewline(from: bytes.count / count * number).map { $0 + 1 } ?? bytes.count
  }
}
