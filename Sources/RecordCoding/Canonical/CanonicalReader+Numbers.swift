import RecordModel

import struct Foundation.Date

extension CanonicalReader {
  /// Skips an unsigned integer of 1 to 15 digits.
  ///
  /// - Returns: the integer; nil, without skipping anything, for any other number, such as one with
  ///   a decimal point.
  @inline(__always)
  package mutating func plainInteger() -> UInt64? {
    var place = position
    var value: UInt64 = 0
    if end &- place >= 8, let eight = eightDigits(at: place) {
      value = eight
      place &+= 8
    }
    let limit = min(end, position &+ 16)
    while place < limit {
      let digit = base.load(fromByteOffset: place, as: UInt8.self) &- 0x30
      guard digit < 10 else { break }
      value = value &* 10 &+ UInt64(digit)
      place &+= 1
    }
    let count = place &- position
    guard count > 0, count < 16 else { return nil }
    if count > 1, base.load(fromByteOffset: position, as: UInt8.self) == 0x30 { return nil }
    if place < end {
      let next = base.load(fromByteOffset: place, as: UInt8.self)
      if next == 0x2E || next | 0x20 == 0x65 { return nil }
    }
    position = place
    return value
  }

  /// Returns the number that eight bytes represent if all are digits.
  @inline(__always)
  private func eightDigits(at place: Int) -> UInt64? {
    let text = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    // Adding 6 carries into the high half of bytes above "9".
    let carried = (text &+ 0x0606_0606_0606_0606) & high
    guard text & high == 0x3030_3030_3030_3030, carried == 0x3030_3030_3030_3030 else {
      return nil
    }
    var digits = text & 0x0F0F_0F0F_0F0F_0F0F
    digits = digits &* 10 &+ digits &>> 8
    let odd = (digits & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let even = (digits &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (odd &+ even) &>> 32
  }

  /// Skips an integer that fits 64 bits.
  @inline(__always)
  mutating func integer() -> Bool {
    plainInteger() != nil || slowInteger()
  }

  /// Reads such an integer.
  @inline(__always)
  mutating func integerValue() -> Int64? {
    if let value = plainInteger() { return Int64(value) }
    let start = position
    guard integer() else { return nil }
    return Int64(String(decoding: bytes(start..<position), as: UTF8.self))
  }

  private mutating func slowInteger() -> Bool {
    let start = position
    let isNegative = byte == 0x2D
    if isNegative { position &+= 1 }
    let first = byte
    guard first &- 0x30 < 10 else { return false }
    var value: UInt64 = 0
    let digits = position
    while byte &- 0x30 < 10 {
      // 19 digits fit; a 20th may overflow, and is rejected below by the count.
      value = value &* 10 &+ UInt64(byte &- 0x30)
      position &+= 1
    }
    let count = position &- digits
    if first == 0x30 { return count == 1 && !isNegative }
    if count < 19 { return true }
    guard count == 19 else {
      position = start
      return false
    }
    return value <= UInt64(Int64.max) + (isNegative ? 1 : 0)
  }

  /// Skips a number that is in the format of ``CanonicalNumber``.
  @inline(__always)
  mutating func double() -> Bool {
    let start = position
    guard let parts = number() else { return false }
    return parts.isSurelyCanonical || doubleValue(parts, from: start) != nil
  }

  /// Skips such a number, and returns it; nil if it is not in that format.
  mutating func doubleValue() -> Double? {
    let start = position
    guard let parts = number() else { return nil }
    if parts.isSurelyCanonical, let exact = parts.exactDouble { return exact }
    return doubleValue(parts, from: start)
  }

  /// Returns the number that was skipped.
  private func doubleValue(_ parts: NumberParts, from start: Int) -> Double? {
    let text = bytes(start..<position)
    guard let value = parts.nearestDouble ?? CanonicalNumber.double(from: text) else {
      return nil
    }
    if parts.isSurelyCanonical || parts.isFraction && isDescription(of: value, text) {
      return value
    }
    return isSame(text) { CanonicalNumber.append(value, to: $0) } ? value : nil
  }

  /// Skips a number that is in the format of ``CanonicalDate``.
  @inline(__always)
  mutating func milliseconds() -> Bool {
    plainInteger() != nil || slowDate() != nil
  }

  /// Skips such a number, and returns the date; nil if it is not in that format.
  @inline(__always)
  mutating func dateValue() -> Date? {
    if let milliseconds = plainInteger() {
      return CanonicalDate.date(wholeMilliseconds: Int64(milliseconds))
    }
    return slowDate()
  }

  private mutating func slowDate() -> Date? {
    let start = position
    guard let parts = number() else { return nil }
    let text = bytes(start..<position)
    guard let date = CanonicalDate.date(parts: parts, text: text) else { return nil }
    let isCanonical: Bool
    if !parts.hasPoint && !parts.hasExponent && parts.digitCount <= 15 {
      isCanonical = !(parts.isNegative && parts.digitCount == 0)
    } else if !parts.hasExponent, parts.digitCount <= 18,
      let short = CanonicalDate.shortDecimal(date.timeIntervalSinceReferenceDate), short.places > 0
    {
      isCanonical =
        short.places == parts.scale && short.units.magnitude == parts.mantissa
        && (short.units < 0) == parts.isNegative
    } else {
      isCanonical =
        CanonicalDate.isShortest(parts, of: date)
        || isSame(text) { CanonicalDate.append(date, to: $0) }
    }
    return isCanonical ? date : nil
  }

  /// Whether a text is the shortest for a number, as Swift writes it: that is canonical for a
  /// fraction of a common size.
  private func isDescription(of value: Double, _ text: UnsafeRawBufferPointer) -> Bool {
    var description = value.description
    return description.withUTF8 { compareBytes(UnsafeRawBufferPointer($0), text) == 0 }
  }

  /// Skips any JSON number.
  @inline(__always)
  mutating func number() -> NumberParts? {
    NumberParts(bytes(0..<end), at: &position)
  }

  private func isSame(_ text: UnsafeRawBufferPointer, as write: (ByteBuffer) -> Bool) -> Bool {
    let buffer = ByteBuffer(capacity: 64)
    return write(buffer) && buffer.bytes.elementsEqual(text)
  }
}
