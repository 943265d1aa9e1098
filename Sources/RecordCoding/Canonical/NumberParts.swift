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
