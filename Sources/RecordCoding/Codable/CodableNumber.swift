import Foundation
import RecordModel

/// The text of a JSON number, encoded and decoded as a number type.
struct CodableNumber {
  let text: String

  init(_ text: String) { self.text = text }

  /// Decodes a number; nil if there is none.
  ///
  /// Tries `Decimal` first: dates of sub-millisecond precision have more digits than a double, and
  /// Foundation decodes any number as an integer that is integral as a double.
  init?(_ container: any SingleValueDecodingContainer) {
    let double = try? container.decode(Double.self)
    if let decimal = try? container.decode(Decimal.self), decimal.isFinite,
      Self.agree(decimal, double)
    {
      text = decimal.description
    } else if let double, (double == 0 && double.sign == .minus) || double != double.rounded(),
      let number = CanonicalNumber.text(of: double)
    {
      text = number
    } else if let integer = try? container.decode(Int64.self) {
      text = String(integer)
    } else if let double, let number = CanonicalNumber.text(of: double) {
      text = number
    } else {
      return nil
    }
  }

  /// Whether a decimal is as precise as the double; it is not for tiny numbers and -0.
  private static func agree(_ decimal: Decimal, _ double: Double?) -> Bool {
    guard let double else { return true }
    return Double(decimal.description)?.bitPattern == double.bitPattern
  }

  /// Encodes the number as the smallest type that represents it exactly, otherwise as the nearest
  /// double.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let integer = Int64(text), text != "-0" { return try container.encode(integer) }
    let double = CanonicalNumber.double(from: text)
    if let double, CanonicalNumber.text(of: double) == text { return try container.encode(double) }
    if let decimal = exactDecimal { return try container.encode(decimal) }
    guard let double else {
      throw RecordCodingError(
        found: "a number out of range",
        expected: "a number within the range of a double")
    }
    try container.encode(double)
  }

  /// The number as a `Decimal`, if exact: up to 38 digits, exponents of -128 to 127.
  private var exactDecimal: Decimal? {
    guard let parts = DecimalText(number: text), !(parts.digits.isEmpty && parts.isNegative),
      parts.digits.count <= 38, -128...127 ~= -parts.scale
    else { return nil }
    return Decimal(string: text)
  }
}
