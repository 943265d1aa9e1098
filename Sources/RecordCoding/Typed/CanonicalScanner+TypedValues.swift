import RecordModel

import struct Foundation.Data

extension CanonicalScanner {
  /// Passes a text and returns it; nil if it is not canonical.
  @inline(__always)
  mutating func textValue() -> String? {
    guard take(0x22) else { return nil }
    let start = position
    var place = position
    while place &+ 8 <= end {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      let mask = escapeMask(word) | word & 0x8080_8080_8080_8080
      place &+= mask.trailingZeroBitCount &>> 3
      if mask == 0 { continue }
      guard base.load(fromByteOffset: place, as: UInt8.self) == 0x22 else { break }
      position = place &+ 1
      return String(
        validUTF8: UnsafeRawBufferPointer(start: base + start, count: place &- start),
        isASCII: true)
    }
    return otherText(from: start, at: place)
  }

  /// Passes a text that has escapes or characters beyond ASCII, or is near the end of the bytes.
  private mutating func otherText(from start: Int, at place: Int) -> String? {
    stringTail(from: start, at: place).map { CanonicalDecoder.string(bytes($0)) }
  }

  @inline(__always)
  mutating func integerValue() -> Int64? {
    if let value = plainInteger() { return Int64(value) }
    let start = position
    guard integer() else { return nil }
    return Int64(String(decoding: bytes(start..<position), as: UTF8.self))
  }

  mutating func dataValue() -> Data? {
    guard let text = string(), Base64.isCanonical(bytes(text)) else { return nil }
    return Base64.data(from: bytes(text))
  }

  /// Passes a reference to a record in the same zone; nil for any other.
  @inline(__always)
  mutating func referenceInZone() -> (name: PassedName, action: Reference.Action)? {
    guard take("{\"recordName\":\""), let name = name(), take(",\"action\":\"") else { return nil }
    if take("NONE\"}") { return (name, .none) }
    if take("DELETE_SELF\"}") { return (name, .deleteSelf) }
    return nil
  }

  /// Whether the scanner is behind the last byte, or at a line feed.
  @inline(__always)
  var isAtLineEnd: Bool {
    position >= end || base.load(fromByteOffset: position, as: UInt8.self) == 0x0A
  }

  /// Returns how many further elements of a list follow if all are as long as the last one, at
  /// least; at most 255, for what looks like elements may belong to another line.
  @inline(__always)
  func elementCount(length: Int) -> Int {
    var count = 0
    var place = position
    while count < 255, place < end &- length,
      base.load(fromByteOffset: place, as: UInt8.self) == 0x2C
    {
      count &+= 1
      place &+= length &+ 1
    }
    return count
  }
}
