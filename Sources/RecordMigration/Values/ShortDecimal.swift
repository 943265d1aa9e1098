import struct Foundation.Date
import RecordCoding
import RecordModel

/// A decimal number of at most 18 digits, `units / 10^places`. Dates and numbers are calculated
/// with it, so 0.1 stays 0.1 and a whole millisecond stays whole.
struct ShortDecimal: Equatable {
  let units: Int64
  let places: Int

  /// The maximum number of digits after the decimal point.
  static let maxPlaces = 18

  init(units: Int64, places: Int = 0) {
    self.units = units
    self.places = places
  }

  /// Creates the shortest decimal that rounds to a double, or `nil` if it has too many digits.
  init?(_ number: Double) {
    if let whole = Int64(exactly: number) {
      self.init(units: whole)
    } else {
      guard let text = CanonicalNumber.text(of: number) else { return nil }
      self.init(text)
    }
  }

  /// Creates a decimal from a numeric value, or `nil` for other values.
  init?(_ value: RecordValue) {
    switch value {
    case .int64(let number): self.init(units: number)
    case .double(let number): self.init(number)
    default: return nil
    }
  }

  /// Creates a decimal with the milliseconds from 1970 to a date, as canonical JSON writes them.
  init?(millisecondsOf date: Date) {
    guard let text = CanonicalDate.text(of: date) else { return nil }
    self.init(text)
  }

  /// Parses digits with an optional sign and decimal point. Returns `nil` for anything else.
  private init?(_ text: String) {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    var (units, places, isBehindPoint) = (Int64(0), 0, false)
    for byte in text.utf8.dropFirst(isNegative ? 1 : 0) {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard units < 100_000_000_000_000_000 else { return nil }
        units = units * 10 + Int64(byte - UInt8(ascii: "0"))
        if isBehindPoint { places += 1 }
      case UInt8(ascii: ".") where !isBehindPoint: isBehindPoint = true
      default: return nil
      }
    }
    guard places <= Self.maxPlaces else { return nil }
    self.init(units: isNegative ? -units : units, places: places)
  }

  /// Returns the exact product with a fraction, or `nil` if it has too many digits.
  func times(_ multiplier: Int64, over divisor: Int64) -> ShortDecimal? {
    guard let scaled = divisor.times(Self.power(places)) else { return nil }
    var multiplier = multiplier
    for places in 0...9 {
      if let units = UnitScale(multiplier, over: scaled).applied(to: units) {
        return ShortDecimal(units: units, places: places)
      }
      guard let next = multiplier.times(10) else { return nil }
      multiplier = next
    }
    return nil
  }

  /// Returns the exact sum, or `nil` if it has too many digits.
  func plus(_ other: ShortDecimal) -> ShortDecimal? {
    let places = max(places, other.places)
    guard let own = units.times(Self.power(places - self.places)),
      let others = other.units.times(Self.power(places - other.places))
    else { return nil }
    let (sum, overflow) = own.addingReportingOverflow(others)
    return overflow ? nil : ShortDecimal(units: sum, places: places)
  }

  /// The negated number, or `nil` for the minimum, which has no negation.
  var negated: ShortDecimal? {
    units == .min ? nil : ShortDecimal(units: -units, places: places)
  }

  /// The number as an integer, or `nil` if it has a fraction.
  var integer: Int64? {
    let power = Self.power(places)
    return units % power == 0 ? units / power : nil
  }

  /// The nearest double.
  var double: Double? {
    if let integer, let exact = Double(exactly: integer) { return exact }
    return CanonicalNumber.double(from: text)
  }

  /// The date nearest to this number of milliseconds since 1970.
  var date: Date? {
    if let integer, integer.magnitude < 1_000_000_000_000_000 {
      return CanonicalDate.date(wholeMilliseconds: integer)
    }
    return CanonicalDate.date(from: text)
  }

  private var text: String { places == 0 ? "\(units)" : "\(units)e-\(places)" }

  private static func power(_ exponent: Int) -> Int64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}

extension Int64 {
  /// Returns the product, or `nil` if it exceeds 64 bits.
  func times(_ other: Int64) -> Int64? {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? nil : product
  }
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
