/// Doubles as canonical JSON writes them: the shortest decimal that rounds to the double, laid out
/// as ECMAScript does (RFC 8785, section 3.2.2.3), but with negative zero as `-0`.
package enum CanonicalNumber {
  /// The powers of ten a double holds exactly.
  static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// The canonical text of a double; nil where it is infinite or not a number.
  package static func text(of value: Double) -> String? {
    let buffer = ByteBuffer(capacity: 32)
    guard append(value, to: buffer) else { return nil }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// Appends the canonical text of a double; false, and nothing, where it is not finite.
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

  /// A decimal of at most 15 digits that rounds to the double, the one with the fewest places
  /// behind the point: `digits / 10^scale`. Nil where there is none, or the search is not worth it.
  ///
  /// Two different decimals of 15 digits never round to the same double, so this is the shortest.
  /// Both operands of the division are exact, so its result is the correctly rounded one.
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

  /// Appends `digits / 10^scale`, with at least one digit before the point.
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

  /// The double a JSON number names, rounded correctly; nil where the text is no JSON number or
  /// its value is too large for a double.
  package static func double(from text: UnsafeRawBufferPointer) -> Double? {
    guard let parts = NumberParts(text) else { return nil }
    if let exact = parts.exactDouble { return exact }
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  /// The double a JSON number names; nil where the text is no JSON number or too large.
  package static func double(from text: String) -> Double? {
    var text = text
    return text.withUTF8 { double(from: UnsafeRawBufferPointer($0)) }
  }
}
