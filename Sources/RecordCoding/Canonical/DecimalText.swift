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
    var exponent = 0
    var behindPoint = false
    var seenExponent = false
    var bytes = Array(text.utf8)[...]
    if bytes.first == 0x2D {
      isNegative = true
      bytes = bytes.dropFirst()
    }
    while let byte = bytes.popFirst() {
      switch byte {
      case 0x30...0x39:
        digits.append(byte - 0x30)
        if behindPoint { scale += 1 }
      case 0x2E where !behindPoint: behindPoint = true
      case 0x45, 0x65:
        guard let value = Int(String(decoding: bytes, as: UTF8.self)), -5000...5000 ~= value
        else { return nil }
        exponent = value
        seenExponent = true
      default: return nil
      }
      if seenExponent { break }
    }
    guard !digits.isEmpty else { return nil }
    scale -= exponent
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
    var left = lhs.digits + Array(repeating: 0, count: scale - lhs.scale)
    var right = rhs.digits + Array(repeating: 0, count: scale - rhs.scale)
    let length = max(left.count, right.count) + 1
    left.insert(contentsOf: repeatElement(0, count: length - left.count), at: 0)
    right.insert(contentsOf: repeatElement(0, count: length - right.count), at: 0)
    var result: DecimalText
    if lhs.isNegative == rhs.isNegative {
      result = DecimalText(isNegative: lhs.isNegative, digits: added(left, right), scale: scale)
    } else if left.lexicographicallyPrecedes(right) {
      result = DecimalText(
        isNegative: rhs.isNegative, digits: subtracted(right, left), scale: scale)
    } else {
      result = DecimalText(
        isNegative: lhs.isNegative, digits: subtracted(left, right), scale: scale)
    }
    result.trim()
    if result.digits.isEmpty { result.isNegative = false }
    return result
  }

  private static func added(_ lhs: [UInt8], _ rhs: [UInt8]) -> [UInt8] {
    var result = lhs
    var carry: UInt8 = 0
    for index in lhs.indices.reversed() {
      let sum = lhs[index] + rhs[index] + carry
      result[index] = sum % 10
      carry = sum / 10
    }
    return result
  }

  /// - Precondition: both have the same length, and `lhs` is at least `rhs`.
  private static func subtracted(_ lhs: [UInt8], _ rhs: [UInt8]) -> [UInt8] {
    var result = lhs
    var borrow: UInt8 = 0
    for index in lhs.indices.reversed() {
      let take = rhs[index] + borrow
      borrow = lhs[index] < take ? 1 : 0
      result[index] = lhs[index] + borrow * 10 - take
    }
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
