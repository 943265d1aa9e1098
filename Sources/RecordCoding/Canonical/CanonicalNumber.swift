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

/// A decimal of any length, `±digits / 10^scale`, for numbers of more than 64 bits.
struct DecimalText {
  var isNegative = false
  /// The digits, 0 to 9, the most significant first.
  var digits: [UInt8] = []
  /// The number of digits after the decimal point; negative if zeros follow the digits.
  var scale = 0

  init(isNegative: Bool, digits: [UInt8], scale: Int) {
    self.isNegative = isNegative
    self.digits = digits
    self.scale = scale
  }

  /// Creates the shortest decimal that rounds to a finite double.
  init(shortest value: Double) {
    // The standard library prints the shortest digits; only their format differs.
    self.init(number: value.description)!
  }

  /// Creates a decimal from a JSON number; nil for other text, and for exponents beyond ±5000.
  init?(number text: String) {
    var text = text
    let parsed = text.withUTF8 { NumberParts(UnsafeRawBufferPointer($0)) }
    guard let parts = parsed, -5000...5000 ~= parts.exponent else { return nil }
    isNegative = parts.isNegative
    digits = text.utf8.prefix { $0 | 0x20 != 0x65 }.filter { 0x30...0x39 ~= $0 }.map { $0 - 0x30 }
    scale = parts.scale - parts.exponent
    trim()
  }

  /// Removes leading and trailing zeros.
  mutating func trim() {
    digits = Array(digits.drop { $0 == 0 })
    while let last = digits.last, last == 0 {
      digits.removeLast()
      scale -= 1
    }
    if digits.isEmpty { scale = 0 }
  }

  /// Returns the exact sum.
  static func + (lhs: DecimalText, rhs: DecimalText) -> DecimalText {
    let scale = max(lhs.scale, rhs.scale)
    let length = max(lhs.digits.count - lhs.scale, rhs.digits.count - rhs.scale) + scale + 1
    var sum = [Int](repeating: 0, count: length)
    for number in [lhs, rhs] {
      let start = length - scale + number.scale - number.digits.count
      for (index, digit) in number.digits.enumerated() {
        sum[start + index] += number.isNegative ? -Int(digit) : Int(digit)
      }
    }
    // Each is at most 9 apart from a common sign, so the first one has the sign of the sum.
    let isNegative = sum.first { $0 != 0 } ?? 0 < 0
    var carry = 0
    for index in sum.indices.reversed() {
      let digit = (isNegative ? -sum[index] : sum[index]) + carry
      carry = digit < 0 ? -1 : digit / 10
      sum[index] = digit - carry * 10
    }
    var result = DecimalText(isNegative: isNegative, digits: sum.map { UInt8($0) }, scale: scale)
    result.trim()
    return result
  }

  /// Appends the decimal without an exponent.
  func appendPlain(to buffer: ByteBuffer) {
    if isNegative { buffer.append(UInt8(ascii: "-")) }
    let point = digits.count - scale
    append(0..<max(0, point), to: buffer)
    if point <= 0 { buffer.append(UInt8(ascii: "0")) }
    guard scale > 0 else { return }
    buffer.append(UInt8(ascii: "."))
    append(point..<digits.count, to: buffer)
  }

  /// Appends the decimal in the format of ECMAScript's `Number.prototype.toString`, without a sign.
  func appendECMAScript(to buffer: ByteBuffer) {
    let point = digits.count - scale
    if -6 < point && point <= 21 {
      DecimalText(isNegative: false, digits: digits, scale: scale).appendPlain(to: buffer)
      return
    }
    append(0..<1, to: buffer)
    if digits.count > 1 {
      buffer.append(UInt8(ascii: "."))
      append(1..<digits.count, to: buffer)
    }
    buffer.append(UInt8(ascii: "e"))
    if point > 0 { buffer.append(UInt8(ascii: "+")) }
    buffer.appendInteger(Int64(point - 1))
  }

  /// Appends the digits at these places, and zeros outside of them.
  private func append(_ places: Range<Int>, to buffer: ByteBuffer) {
    for place in places {
      buffer.append(0x30 + (digits.indices.contains(place) ? digits[place] : 0))
    }
  }

  /// The nearest double; nil if it is out of range.
  var double: Double? {
    guard !digits.isEmpty else { return 0 }
    let text = String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
    guard let value = Double("\(isNegative ? "-" : "")\(text)e\(-scale)"), value.isFinite else {
      return nil
    }
    return value
  }
}

/// The parts of a JSON number: sign, digits and exponent.
struct NumberParts {
  var isNegative = false
  /// The first 19 digits as an integer; exact if ``digitCount`` is at most 19.
  var mantissa: UInt64 = 0
  /// The number of digits, without leading zeros.
  var digitCount = 0
  /// The number of digits after the decimal point.
  var scale = 0
  /// The exponent, limited to ±1,000,000.
  var exponent = 0
  var hasPoint = false
  var hasExponent = false
  /// Whether the last digit after the decimal point is zero.
  var endsInZero = false

  /// Creates the parts of a number; nil if the bytes are not exactly one JSON number.
  init?(_ text: UnsafeRawBufferPointer) {
    var position = 0
    guard let length = scan(text, from: &position), length == text.count else { return nil }
  }

  /// Reads the number at `position`, and advances `position` to its end; nil if there is none.
  init?(_ text: UnsafeRawBufferPointer, at position: inout Int) {
    guard scan(text, from: &position) != nil else { return nil }
  }

  private init() {}

  private mutating func scan(_ text: UnsafeRawBufferPointer, from position: inout Int) -> Int? {
    let end = text.count
    var place = position
    func byte() -> UInt8 { place < end ? text[place] : 0 }
    if byte() == 0x2D {
      isNegative = true
      place &+= 1
    }
    if byte() == 0x30 {
      place &+= 1
      if byte() &- 0x30 < 10 { return nil }
    } else {
      guard byte() &- 0x30 < 10 else { return nil }
      while byte() &- 0x30 < 10 {
        take(byte())
        place &+= 1
      }
    }
    if byte() == 0x2E {
      place &+= 1
      hasPoint = true
      guard byte() &- 0x30 < 10 else { return nil }
      while byte() &- 0x30 < 10 {
        take(byte())
        scale &+= 1
        endsInZero = byte() == 0x30
        place &+= 1
      }
    }
    if byte() | 0x20 == 0x65 {
      place &+= 1
      hasExponent = true
      let sign = byte()
      if sign == 0x2B || sign == 0x2D { place &+= 1 }
      guard byte() &- 0x30 < 10 else { return nil }
      var value = 0
      while byte() &- 0x30 < 10 {
        value = min(value &* 10 &+ Int(byte() &- 0x30), 1_000_000)
        place &+= 1
      }
      exponent = sign == 0x2D ? -value : value
    }
    position = place
    return place
  }

  private mutating func take(_ byte: UInt8) {
    let digit = byte &- 0x30
    if digitCount == 0 && digit == 0 { return }
    digitCount &+= 1
    if digitCount <= 19 { mantissa = mantissa &* 10 &+ UInt64(digit) }
  }

  /// The double, if it is the product or quotient of exact operands.
  var exactDouble: Double? {
    guard digitCount <= 15 || (digitCount <= 16 && mantissa < 1 << 53) else { return nil }
    let power = exponent &- scale
    guard -22...22 ~= power else { return nil }
    let magnitude = Double(mantissa)
    let value = CanonicalNumber.powersOfTen.withUnsafeBufferPointer {
      power < 0 ? magnitude / $0[-power] : magnitude * $0[power]
    }
    return isNegative ? -value : value
  }

  /// Whether this is a number with decimal places, the last of which is not 0, and no exponent.
  var isFraction: Bool { hasPoint && !endsInZero && !hasExponent }

  /// The double nearest to a number of at most 19 digits and 27 decimal places.
  var nearestDouble: Double? {
    guard !hasExponent, digitCount <= 19,
      let value = Self.quotient(mantissa, scale: scale)
    else { return nil }
    return isNegative ? -value : value
  }

  private static let powersOfFive: [UInt64] = (0..<27).reduce(into: [1]) { powers, _ in
    powers.append(powers[powers.count - 1] * 5)
  }

  /// Returns the double nearest to `units / 10^scale`; nil for more than 27 places.
  static func quotient(_ units: UInt64, scale: Int) -> Double? {
    guard scale >= 0, scale < powersOfFive.count else { return nil }
    if units == 0 { return 0 }
    let power = powersOfFive[scale]
    let unitsShift = units.leadingZeroBitCount
    let powerShift = power.leadingZeroBitCount
    let dividend = units &<< UInt64(unitsShift)
    // Both begin with a set bit, so the quotient of the dividend times 2^63 has 63 or 64 bits.
    let (quotient, rest) = (power &<< UInt64(powerShift)).dividingFullWidth(
      (dividend &>> 1, dividend &<< 63))
    let shift = UInt64(11 &- quotient.leadingZeroBitCount)
    var significand = quotient &>> shift
    let cut = quotient & ((1 &<< shift) &- 1)
    let half = 1 as UInt64 &<< (shift &- 1)
    if cut > half || cut == half && (rest > 0 || significand & 1 == 1) { significand &+= 1 }
    // 5^scale was divided by; 2^scale is in the exponent.
    let exponent = Int(shift) &- 63 &+ powerShift &- unitsShift &- scale
    return Double(significand) * Double(sign: .plus, exponent: exponent, significand: 1)
  }

  /// Whether a number with these parts is certainly canonical. False is inconclusive.
  var isSurelyCanonical: Bool {
    !hasExponent && digitCount <= 15 && !(hasPoint && endsInZero)
      && (digitCount == 0 || scale &- digitCount < 6)
  }
}
