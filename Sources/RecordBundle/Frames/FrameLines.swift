import Foundation

/// The lines of a frame's content, without their newlines; valid as long as the content is.
struct FrameLines: Sequence, IteratorProtocol {
  private var rest: UnsafeRawBufferPointer

  /// Splits bytes at newlines; bytes after the last newline are a line, too.
  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  @inline(__always)
  mutating func next() -> UnsafeRawBufferPointer? {
    guard let start = rest.baseAddress, rest.count > 0 else { return nil }
    guard let newline = memchr(start, 0x0A, rest.count) else {
      defer { rest = UnsafeRawBufferPointer(start: nil, count: 0) }
      return rest
    }
    let length = UnsafeRawPointer(newline) - start
    rest = UnsafeRawBufferPointer(start: start + length + 1, count: rest.count - length - 1)
    return UnsafeRawBufferPointer(start: start, count: length)
  }
}
