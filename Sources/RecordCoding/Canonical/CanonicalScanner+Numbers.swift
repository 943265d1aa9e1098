extension CanonicalScanner {
  /// Steps over an integer that fits 64 bits.
  @inline(__always)
  mutating func integer() -> Bool {
    let start = position
    let isNegative = byte == 0x2D
    if isNegative { position &+= 1 }
    let first = byte
    guard first &- 0x30 < 10 else { return false }
    var value: UInt64 = 0
    let digits = position
    while byte &- 0x30 < 10 {
      // 19 digits fit; what a 20th would overflow is refused below by their count.
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

  /// Steps over a number that is written as ``CanonicalNumber`` writes its double.
  @inline(__always)
  mutating func double() -> Bool {
    let start = position
    guard let parts = number() else { return false }
    if parts.isSurelyCanonical { return true }
    let text = bytes(start..<position)
    guard let value = CanonicalNumber.double(from: text) else { return false }
    return isSame(text) { CanonicalNumber.append(value, to: $0) }
  }

  /// Steps over a number that is written as ``CanonicalDate`` writes its date.
  @inline(__always)
  mutating func milliseconds() -> Bool {
    let start = position
    guard let parts = number() else { return false }
    if !parts.hasPoint && !parts.hasExponent && parts.digitCount <= 15 {
      return !(parts.isNegative && parts.digitCount == 0)
    }
    let text = bytes(start..<position)
    guard let date = CanonicalDate.date(parts: parts, text: text) else { return false }
    if !parts.hasExponent, parts.digitCount <= 18,
      let short = CanonicalDate.shortDecimal(date.timeIntervalSinceReferenceDate), short.places > 0
    {
      return short.places == parts.scale && short.units.magnitude == parts.mantissa
        && (short.units < 0) == parts.isNegative
    }
    return isSame(text) { CanonicalDate.append(date, to: $0) }
  }

  /// Steps over any number in JSON's grammar.
  @inline(__always)
  mutating func number() -> NumberParts? {
    NumberParts(bytes(0..<end), at: &position)
  }

  private func isSame(
    _ text: UnsafeRawBufferPointer, as write: (ByteBuffer) -> Bool
  ) -> Bool {
    let buffer = ByteBuffer(capacity: 64)
    return write(buffer) && buffer.bytes.elementsEqual(text)
  }
}
