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
