import Foundation
import RecordModel

/// Reads canonical JSON: accepts exactly the bytes that the canonical writer writes.
///
/// Methods that return a value check and decode it. Methods that return a range or a Boolean only check
/// and skip.
///
/// The fallback reader handles everything else, and reports errors. Each record has only one
/// canonical text: equal records have equal bytes.
///
/// Every load is bounds-checked.
package struct CanonicalReader {
  let base: UnsafeRawPointer
  package let end: Int
  package var position = 0
  /// Whether a member was found that the model has no property for.
  var hasOtherMembers = false

  /// The maximum nesting depth of JSON that the model has no property for.
  static let maxDepth = 128

  package init(_ bytes: UnsafeRawBufferPointer) {
    // Empty input is never loaded from, so any address will do.
    base = bytes.baseAddress ?? Self.emptyBase
    end = bytes.count
  }

  private static var emptyBase: UnsafeRawPointer { UnsafeRawPointer(bitPattern: 1)! }

  /// Whether all bytes were read.
  var isAtEnd: Bool { position >= end }

  /// The current byte; 0 at the end, which no JSON text contains.
  // Transparent, so that debug builds inline it, too: tests read their fixtures in these.
  @_transparent
  var byte: UInt8 {
    position < end ? base.load(fromByteOffset: position, as: UInt8.self) : 0
  }

  @inline(__always)
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  @_transparent
  mutating func take(_ expected: UInt8) -> Bool {
    guard byte == expected else { return false }
    position &+= 1
    return true
  }

  /// Skips the literal if it is at the current position; returns whether it is.
  @inline(__always)
  package mutating func take(_ literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard length <= end &- position, sameBytes(literal.utf8Start, length, at: position) else {
      return false
    }
    position &+= length
    return true
  }

  @inline(__always)
  func matches(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    guard let start = text.baseAddress, text.count <= end &- place else { return text.isEmpty }
    return sameBytes(start, text.count, at: place)
  }

  @inline(__always)
  func matches(_ text: UnsafeRawBufferPointer, at place: Int) -> Bool {
    text.count <= end &- place
      && compareBytes(text, UnsafeRawBufferPointer(start: base + place, count: text.count)) == 0
  }

  /// - Precondition: `length` bytes from `place` are before the end.
  @inline(__always)
  private func sameBytes(_ text: UnsafePointer<UInt8>, _ length: Int, at place: Int) -> Bool {
    memcmp(text, base + place, length) == 0
  }

  /// Skips the rest of a string, after its opening quote.
  ///
  /// - Returns: the range of the text between the quotes; nil if it is not canonical.
  @inline(__always)
  mutating func stringRest() -> Range<Int>? {
    let start = position
    return plainRest() ?? stringTail(from: start, at: position)
  }

  /// Skips the rest of a string of ASCII characters without escapes.
  ///
  /// - Returns: The range of the text; nil for any other string, and near the end of the bytes,
  ///   with the position before what is to be looked at.
  @inline(__always)
  mutating func plainRest() -> Range<Int>? {
    let start = position
    while position &+ 8 <= end {
      let word = UInt64(
        littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let mask = escapeMask(word) | word & 0x8080_8080_8080_8080
      position &+= mask.trailingZeroBitCount &>> 3
      if mask == 0 { continue }
      guard base.load(fromByteOffset: position, as: UInt8.self) == 0x22 else { return nil }
      position &+= 1
      return start..<position &- 1
    }
    return nil
  }

  /// Handles escapes, characters beyond ASCII, and the last bytes.
  mutating func stringTail(from start: Int, at place: Int) -> Range<Int>? {
    position = place
    while position < end {
      let byte = base.load(fromByteOffset: position, as: UInt8.self)
      switch byte {
      case 0x22:
        position &+= 1
        return start..<(position &- 1)
      case 0x5C: guard escape() else { return nil }
      case 0..<0x20: return nil
      case 0x80...: guard scalar(byte) else { return nil }
      default: skipPlainBytes()
      }
    }
    return nil
  }

  /// Skips plain ASCII bytes, at least one: no quote, backslash or control character.
  @inline(__always)
  private mutating func skipPlainBytes() {
    position &+= 1
    while position &+ 8 <= end {
      let word = UInt64(
        littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let mask = escapeMask(word) | word & 0x8080_8080_8080_8080
      position &+= mask.trailingZeroBitCount &>> 3
      if mask != 0 { return }
    }
  }

  /// Skips an escape that the canonical writer writes.
  private mutating func escape() -> Bool {
    position &+= 1
    switch byte {
    case 0x22, 0x5C, 0x62, 0x66, 0x6E, 0x72, 0x74:
      position &+= 1
      return true
    case 0x75: break
    default: return false
    }
    guard end &- position >= 5, take("u00") else { return false }
    let high = byte
    position &+= 1
    let low = byte
    position &+= 1
    guard high == 0x30 || high == 0x31 else { return false }
    guard (0x30...0x39).contains(low) || (0x61...0x66).contains(low) else { return false }
    // \b \t \n \f \r have a shorter form.
    return high == 0x31 || ![0x38, 0x39, 0x61, 0x63, 0x64].contains(low)
  }

  /// Skips one character beyond ASCII if it is valid UTF-8 (Unicode, table 3-7).
  @inline(__always)
  private mutating func scalar(_ first: UInt8) -> Bool {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xE1...0xEC, 0xEE...0xEF: length = 3
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return false
    }
    guard length <= end &- position else { return false }
    guard second.contains(base.load(fromByteOffset: position &+ 1, as: UInt8.self)) else {
      return false
    }
    var offset = 2
    while offset < length {
      guard base.load(fromByteOffset: position &+ offset, as: UInt8.self) & 0xC0 == 0x80 else {
        return false
      }
      offset &+= 1
    }
    position &+= length
    return true
  }

  /// Skips a string, and returns the range of its text.
  @inline(__always)
  mutating func string() -> Range<Int>? {
    guard take(0x22) else { return nil }
    return stringRest()
  }
}
