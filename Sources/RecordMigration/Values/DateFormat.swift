import RecordCoding

import struct Foundation.Date

/// A representation of dates as strings or numbers.
///
/// Numbers: `seconds` and `milliseconds` since 1970, and `reference-seconds` since 2001. Strings:
/// `iso8601`, or a pattern of `yyyy MM dd HH mm ss SSS` and literal text, with letters in quotation
/// marks (`yyyy-MM-dd'T'HH:mm`). All dates are in UTC.
public enum DateFormat: Sendable, Hashable {
  /// `2024-03-01T09:00:00Z`, with milliseconds if they are not zero. When reading, an offset such
  /// as `+02:00` may replace `Z`, and the time may be missing.
  case iso8601
  /// Seconds since 1970.
  case seconds
  /// Milliseconds since 1970.
  case milliseconds
  /// Seconds since 2001, the reference date of `Date`.
  case referenceSeconds
  /// A custom pattern.
  case pattern(DatePattern)

  /// Creates the format with a name, or a pattern.
  ///
  /// - Throws: ``ExpressionError`` with the column of an error in a pattern.
  public init(_ text: String) throws {
    switch text {
    case "iso8601": self = .iso8601
    case "seconds": self = .seconds
    case "milliseconds": self = .milliseconds
    case "reference-seconds": self = .referenceSeconds
    default: self = .pattern(try DatePattern(text))
    }
  }

  /// The name or pattern.
  public var name: String {
    switch self {
    case .iso8601: "iso8601"
    case .seconds: "seconds"
    case .milliseconds: "milliseconds"
    case .referenceSeconds: "reference-seconds"
    case .pattern(let pattern): pattern.text
    }
  }

  /// Whether the format represents dates as numbers.
  public var isNumber: Bool { unit != nil }

  /// Returns the string for a date, or `nil` for numeric formats and for years outside 1 to 9999.
  func text(of date: Date) -> String? {
    switch self {
    case .iso8601: return ISODate.text(of: date)?.text
    case .pattern(let pattern): return CivilDate(date).map(pattern.text(of:))
    case .seconds, .milliseconds, .referenceSeconds: return nil
    }
  }

  /// Returns the date that a string represents, or `nil` if the string does not have this format.
  func date(from text: String) -> Date? {
    switch self {
    case .pattern(let pattern): return pattern.date(from: text)?.date()
    case .iso8601: return Self.date(iso8601: text)
    case .seconds, .milliseconds, .referenceSeconds: return nil
    }
  }

  /// The length of the unit in milliseconds, and the milliseconds from 1970 to its epoch. `nil` for
  /// string formats.
  private var unit: (milliseconds: Int64, start: Int64)? {
    switch self {
    case .seconds: (1000, 0)
    case .milliseconds: (1, 0)
    case .referenceSeconds: (1000, 978_307_200_000)
    case .iso8601, .pattern: nil
    }
  }

  /// Returns the exact number for a date, or `nil` if it is not a short decimal.
  func decimal(of date: Date, _ scale: UnitScale? = nil) -> ShortDecimal? {
    guard let unit, let divisor = unit.milliseconds.times(scale?.divisor ?? 1) else { return nil }
    return ShortDecimal(millisecondsOf: date)?.plus(ShortDecimal(units: -unit.start))?
      .times(scale?.multiplier ?? 1, over: divisor)
  }

  /// Returns the number for a date, or `nil` for string formats.
  func number(of date: Date, _ scale: UnitScale? = nil) -> Double? {
    if let exact = decimal(of: date, scale)?.double { return exact }
    guard let text = CanonicalDate.text(of: date) else { return nil }
    var number: Double?
    switch self {
    case .seconds: number = CanonicalNumber.double(from: text + "e-3")
    case .milliseconds: number = CanonicalNumber.double(from: text)
    case .referenceSeconds: number = date.timeIntervalSinceReferenceDate
    case .iso8601, .pattern: return nil
    }
    if let scale { number = number.flatMap(scale.applied) }
    return number
  }

  /// Returns the date that a number represents, or `nil` for string formats and for numbers out of
  /// range. Calculates in decimals, so a whole number of milliseconds gives the same date as in
  /// other systems.
  func date(from number: ShortDecimal, _ scale: UnitScale? = nil) -> Date? {
    guard let unit, let multiplier = unit.milliseconds.times(scale?.multiplier ?? 1) else {
      return nil
    }
    return number.times(multiplier, over: scale?.divisor ?? 1)?
      .plus(ShortDecimal(units: unit.start))?.date
  }

  /// Returns the date that a number represents, or `nil` for string formats and for numbers out of
  /// range.
  func date(from number: Double, _ scale: UnitScale? = nil) -> Date? {
    if let exact = ShortDecimal(number).flatMap({ date(from: $0, scale) }) { return exact }
    guard let number = scale.map({ $0.applied(to: number) }) ?? number, number.isFinite else {
      return nil
    }
    switch self {
    case .seconds: return Self.date(number, "e3") ?? Date(timeIntervalSince1970: number)
    case .milliseconds: return Self.date(number, "") ?? Date(timeIntervalSince1970: number / 1000)
    case .referenceSeconds: return Date(timeIntervalSinceReferenceDate: number)
    case .iso8601, .pattern: return nil
    }
  }

  /// Returns the date for a number that is not a short decimal.
  private static func date(_ number: Double, _ exponent: String) -> Date? {
    guard let text = CanonicalNumber.text(of: number), !text.contains("e") else { return nil }
    return CanonicalDate.date(from: text + exponent)
  }

  private static let readable = [
    "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss.SSS", "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd",
  ].map(DatePattern.init(known:))

  private static func date(iso8601 text: String) -> Date? {
    guard text.utf8.count <= 40 else { return nil }
    var rest = text[...]
    var offset = 0
    if rest.hasSuffix("Z") {
      rest.removeLast()
    } else if text.contains("T"), let sign = rest.lastIndex(where: { $0 == "+" || $0 == "-" }),
      let time = rest.firstIndex(of: "T"), sign > time
    {
      let digits = rest[rest.index(after: sign)...].filter { $0 != ":" }
      guard digits.utf8.count == 4, let number = UInt16(digits), number % 100 < 60, number < 2400
      else { return nil }
      offset = Int(number / 100) * 60 + Int(number % 100)
      if rest[sign] == "-" { offset = -offset }
      rest = rest[..<sign]
    }
    let plain = String(rest)
    return readable.lazy.compactMap { $0.date(from: plain)?.date(offset: offset) }.first
  }
}
