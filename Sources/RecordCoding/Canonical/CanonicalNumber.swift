/// Doubles in canonical JSON: the shortest decimal that rounds to the double, in ECMAScript's
/// format (RFC 8785, section 3.2.2.3), except that negative zero is `-0`.
package enum CanonicalNumber {
  /// The powers of ten that a double represents exactly.
  static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Returns the canonical text of a double; nil if it is not finite.
  package static func text(of value: Double) -> String? {
    let buffer = ByteBuffer(capacity: 32)
    guard append(value, to: buffer) else { return nil }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// Appends the canonical text of a double, or returns false if it is not finite.
  package static func append(_ value: Double, to buffer: ByteBuffer) -> Bool {
    guard value.isFinite else { return false }
    if value.sign == .minus { buffer.append(UInt8(ascii: "-")) }
    let magnitude = value.magnitude
    if magnitude < 9_007_199_254_740_992, magnitude == magnitude.rounded(.towardZero) {
      buffer.appendInteger(Int64(magnitude))
    } else if let (digits, scale) = shortDecimal(magnitude) {
      appendFixed(digits, scale: scale, to: buffer)
    } else {
      DecimalText(shortest: magnitude).appendECMAScript(to: buffer)
    }
    return true
  }

  /// Returns a decimal `digits / 10^scale` of at most 15 digits that rounds to the double, with the
  /// fewest decimal places.
  ///
  /// Returns nil if there is none, or the number is below 10^-6 or at least 10^14.
  ///
  /// No two decimals of 15 digits round to the same double, so this is the shortest. Both operands
  /// of the division are exact, so the quotient is correctly rounded.
  static func shortDecimal(_ magnitude: Double) -> (digits: Int64, scale: Int)? {
    guard magnitude >= 1e-6, magnitude < 1e14 else { return nil }
    return powersOfTen.withUnsafeBufferPointer { powers in
      var scale = 1
      while scale <= 15 {
        let scaled = (magnitude * powers[scale]).rounded()
        if scaled >= 1e15 { return nil }
        if scaled / powers[scale] == magnitude { return (Int64(scaled), scale) }
        scale &+= 1
      }
      return nil
    }
  }

  /// Appends `digits / 10^scale`, with at least one digit before the decimal point.
  static func appendFixed(_ digits: Int64, scale: Int, to buffer: ByteBuffer) {
    let start = buffer.count
    buffer.appendInteger(digits)
    let length = buffer.count - start
    let missing = max(0, scale + 1 - length)
    buffer.reserve(missing + 1)
    let text = buffer.base + start
    let whole = length + missing - scale
    if missing > 0 {
      (text + missing).copyMemory(from: text, byteCount: length)
      text.initializeMemory(as: UInt8.self, repeating: 0x30, count: missing)
    }
    (text + whole + 1).copyMemory(from: text + whole, byteCount: scale)
    text.storeBytes(of: 0x2E, toByteOffset: whole, as: UInt8.self)
    buffer.count += missing + 1
  }

  /// Returns the double nearest to a JSON number; nil if the text is not a JSON number or is out of
  /// range.
  package static func double(from text: UnsafeRawBufferPointer) -> Double? {
    guard let parts = NumberParts(text) else { return nil }
    if let exact = parts.exactDouble { return exact }
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  /// Returns the double nearest to a JSON number; nil if the text is not a JSON number or is out of
  /// range.
  package static func double(from text: String) -> Double? {
    var text = text
    return text.withUTF8 { double(from: UnsafeRawBufferPointer($0)) }
  }
}
