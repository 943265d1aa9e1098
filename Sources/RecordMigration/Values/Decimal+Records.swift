import Foundation
import RecordCoding
import RecordModel

/// Dates and numbers are calculated in decimals, so 0.1 stays 0.1 and a whole millisecond stays
/// whole.
extension Decimal {
  /// Creates the shortest decimal that rounds to a double, or `nil` if it has too many digits.
  init?(shortest number: Double) {
    guard let text = CanonicalNumber.text(of: number) else { return nil }
    self.init(canonical: text)
  }

  /// Creates a decimal from a numeric value, or `nil` for other values.
  init?(_ value: RecordValue) {
    switch value {
    case .int64(let number): self.init(number)
    case .double(let number): self.init(shortest: number)
    default: return nil
    }
  }

  /// Creates a decimal with the milliseconds from 1970 to a date, as canonical JSON writes them.
  init?(millisecondsOf date: Date) {
    guard let text = CanonicalDate.text(of: date) else { return nil }
    self.init(canonical: text)
  }

  /// Foundation cuts digits off after the 38th, so longer texts are `nil`.
  private init?(canonical text: String) {
    guard text.utf8.count <= 30, !text.contains("e") else { return nil }
    self.init(string: text)
  }

  /// Returns the product with a power of ten.
  func timesTen(to exponent: Int) -> Decimal {
    Decimal(sign: .plus, exponent: exponent, significand: self)
  }

  /// The number as an integer, or `nil` if it has a fraction or exceeds 64 bits.
  var integer: Int64? { Int64(description) }

  /// The nearest double.
  var nearestDouble: Double? { CanonicalNumber.double(from: description) }

  /// The date nearest to this number of milliseconds since 1970.
  var dateOfMilliseconds: Date? { CanonicalDate.date(from: description) }
}

/// Compares an integer and a double exactly: -1, 0 or 1. Above 2^53, several integers round to the
/// same double. The double must be a number.
package func compareExactly(_ a: Int64, _ b: Double) -> Int {
  if b >= 0x1p63 { return -1 }
  if b < -0x1p63 { return 1 }
  let whole = b.rounded(.towardZero)
  let integer = Int64(whole)
  if a != integer { return a < integer ? -1 : 1 }
  return b > whole ? -1 : b < whole ? 1 : 0
}
