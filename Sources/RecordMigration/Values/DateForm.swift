import RecordCoding

import struct Foundation.Date

/// How a date is written as a text or a number.
///
/// Numbers: `seconds` and `milliseconds` since 1970, and `reference-seconds` since 2001. Texts:
/// `iso8601`, or a pattern of `yyyy MM dd HH mm ss SSS` and whatever stands between them, letters in
/// quotation marks (`yyyy-MM-dd'T'HH:mm`). All in UTC.
public enum DateForm: Sendable, Hashable {
  /// `2024-03-01T09:00:00Z`, with milliseconds where there are any. When read, an offset such as
  /// `+02:00` is taken for `Z`, and the time may be missing.
  case iso8601
  /// Seconds since 1970.
  case seconds
  /// Milliseconds since 1970.
  case milliseconds
  /// Seconds since 2001, as `Date` counts.
  case referenceSeconds
  /// A pattern.
  case pattern(DatePattern)

  /// The form of that name, or the pattern of that text.
  ///
  /// - Throws: ``ExpressionError`` with the column of what is wrong in a pattern.
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

  /// Whether dates are numbers in this form.
  public var isNumber: Bool {
    switch self {
    case .seconds, .milliseconds, .referenceSeconds: true
    case .iso8601, .pattern: false
    }
  }

  /// The text of a date; nil for forms of numbers, and for years outside of 1 to 9999.
  func text(of date: Date) -> String? {
    switch self {
    case .iso8601:
      guard let civil = CivilDate(date) else { return nil }
      return (civil.millisecond == 0 ? Self.wholeSeconds : Self.withMilliseconds).text(of: civil)
    case .pattern(let pattern): return CivilDate(date).map(pattern.text(of:))
    case .seconds, .milliseconds, .referenceSeconds: return nil
    }
  }

  /// The date of a text; nil where it is none in this form.
  func date(from text: String) -> Date? {
    switch self {
    case .pattern(let pattern): return pattern.date(from: text)?.date()
    case .iso8601: return Self.date(iso8601: text)
    case .seconds, .milliseconds, .referenceSeconds: return nil
    }
  }

  /// How many milliseconds a unit has, and how many there are from 1970 to where units are counted
  /// from; nil for forms of texts.
  private var unit: (milliseconds: Int64, start: Int64)? {
    switch self {
    case .seconds: (1000, 0)
    case .milliseconds: (1, 0)
    case .referenceSeconds: (1000, 978_307_200_000)
    case .iso8601, .pattern: nil
    }
  }

  /// The exact number of a date in a unit; nil where it is no short decimal.
  func decimal(of date: Date, _ scale: UnitScale? = nil) -> ShortDecimal? {
    guard let unit, let divisor = unit.milliseconds.times(scale?.divisor ?? 1) else { return nil }
    return ShortDecimal(millisecondsOf: date)?.plus(ShortDecimal(units: -unit.start))?
      .times(scale?.multiplier ?? 1, over: divisor)
  }

  /// The number of a date; nil for forms of texts.
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

  /// The date of a number, computed in decimals: what is a whole number of milliseconds becomes the
  /// date that other systems write for it. Nil for forms of texts, and where it is none.
  func date(from number: ShortDecimal, _ scale: UnitScale? = nil) -> Date? {
    guard let unit, let multiplier = unit.milliseconds.times(scale?.multiplier ?? 1) else {
      return nil
    }
    return number.times(multiplier, over: scale?.divisor ?? 1)?
      .plus(ShortDecimal(units: unit.start))?.date
  }

  /// The date of a number; nil for forms of texts, and where it is none.
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

  /// The date of a number that is no short decimal, but one nevertheless.
  private static func date(_ number: Double, _ exponent: String) -> Date? {
    guard let text = CanonicalNumber.text(of: number), !text.contains("e") else { return nil }
    return CanonicalDate.date(from: text + exponent)
  }

  private static let wholeSeconds = DatePattern(known: "yyyy-MM-dd'T'HH:mm:ss'Z'")
  private static let withMilliseconds = DatePattern(known: "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'")
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
