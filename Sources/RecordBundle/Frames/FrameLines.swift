import Foundation

extension UnsafeRawBufferPointer {
  private static let searchSize = 1024

  /// Returns the place of the last newline in a range; nil if there is none. `lastIndex(of:)` looks at
  /// the bytes one by one.
  func lastNewline(in range: Range<Int>) -> Int? {
    guard let start = baseAddress else { return nil }
    var end = range.upperBound
    while end > range.lowerBound {
      let from = Swift.max(range.lowerBound, end - Self.searchSize)
      var found: Int?
      var place = from
      while let newline = memchr(start + place, 0x0A, end - place) {
        place = UnsafeRawPointer(newline) - start
        found = place
        place += 1
      }
      if let found { return found }
      end = from
    }
    return nil
  }

  /// Returns the place of the first newline from a place on; nil if there is none.
  func firstNewline(from place: Int) -> Int? {
    guard let start = baseAddress, place < count else { return nil }
    return memchr(start + place, 0x0A, count - place).map { UnsafeRawPointer($0) - start }
  }
}

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
