import Foundation
import RecordCoding

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
  /// - Throws: ``MigrationError`` with the column of an error in a pattern.
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
  package var name: String {
    switch self {
    case .iso8601: "iso8601"
    case .seconds: "seconds"
    case .milliseconds: "milliseconds"
    case .referenceSeconds: "reference-seconds"
    case .pattern(let pattern): pattern.text
    }
  }

  /// Whether the format represents dates as numbers.
  package var isNumber: Bool { unit != nil }

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

  /// The power of ten of the unit in milliseconds, and the milliseconds from 1970 to its epoch. `nil`
  /// for string formats.
  private var unit: (exponent: Int, start: Decimal)? {
    switch self {
    case .seconds: (3, 0)
    case .milliseconds: (0, 0)
    case .referenceSeconds: (3, 978_307_200_000)
    case .iso8601, .pattern: nil
    }
  }

  /// Returns the exact number for a date, or `nil` for string formats and if it has too many digits.
  func decimal(of date: Date) -> Decimal? {
    guard let unit, let milliseconds = Decimal(millisecondsOf: date) else { return nil }
    return (milliseconds - unit.start).timesTen(to: -unit.exponent)
  }

  /// Returns the number for a date, or `nil` for string formats.
  func number(of date: Date) -> Double? {
    if let exact = decimal(of: date)?.nearestDouble { return exact }
    guard let text = CanonicalDate.text(of: date) else { return nil }
    switch self {
    case .seconds: return CanonicalNumber.double(from: text + "e-3")
    case .milliseconds: return CanonicalNumber.double(from: text)
    case .referenceSeconds: return date.timeIntervalSinceReferenceDate
    case .iso8601, .pattern: return nil
    }
  }

  /// Returns the date that a number represents, or `nil` for string formats and for numbers out of
  /// range. Calculates in decimals, so a whole number of milliseconds gives the same date as in
  /// other systems.
  func date(from number: Decimal) -> Date? {
    unit.flatMap { (number.timesTen(to: $0.exponent) + $0.start).dateOfMilliseconds }
  }

  /// Returns the date that a number represents, or `nil` for string formats and for numbers out of
  /// range.
  func date(from number: Double) -> Date? {
    if let exact = Decimal(shortest: number).flatMap(date(from:)) { return exact }
    guard number.isFinite else { return nil }
    switch self {
    case .seconds: return Self.date(number, "e3") ?? Date(timeIntervalSince1970: number)
    case .milliseconds: return Self.date(number, "") ?? Date(timeIntervalSince1970: number / 1000)
    case .referenceSeconds: return Date(timeIntervalSinceReferenceDate: number)
    case .iso8601, .pattern: return nil
    }
  }

  /// Returns the date for a number with too many digits.
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

/// A date pattern: fields of fixed width and literal text.
public struct DatePattern: Sendable, Hashable {
  private typealias Component = WritableKeyPath<CivilDate, Int> & Sendable

  private enum Part: Sendable, Hashable {
    case literal([UInt8])
    case field(Component, width: Int)
  }

  /// The pattern as written.
  package let text: String
  private let parts: [Part]

  private static let letters: [Character: (component: Component, width: Int)] = [
    "y": (\.year, 4), "M": (\.month, 2), "d": (\.day, 2), "H": (\.hour, 2), "m": (\.minute, 2),
    "s": (\.second, 2), "S": (\.millisecond, 3),
  ]

  /// Parses a pattern.
  ///
  /// - Throws: ``MigrationError`` with the column of the error.
  package init(_ text: String) throws {
    guard text.utf8.count <= 200 else {
      throw MigrationError(.expression, 1, "the date format is longer than 200 bytes")
    }
    parts = try Self.parts(of: Array(text))
    self.text = text
    guard parts.contains(.field(\.year, width: 4)) else {
      throw MigrationError(
        .expression, 1,
        "the date format has no year; a format is iso8601, seconds, milliseconds, "
          + "reference-seconds, or a pattern such as yyyy-MM-dd HH:mm:ss")
    }
  }

  /// Creates a pattern that is known to be valid.
  init(known text: String) {
    parts = (try? Self.parts(of: Array(text))) ?? []
    self.text = text
  }

  private static func parts(of characters: [Character]) throws -> [Part] {
    var parts: [Part] = []
    var seen: Set<Character> = []
    var position = 0
    func literal(_ text: String) {
      if case .literal(let bytes)? = parts.last {
        parts[parts.count - 1] = .literal(bytes + Array(text.utf8))
      } else {
        parts.append(.literal(Array(text.utf8)))
      }
    }
    while position < characters.count {
      let start = position
      let character = characters[position]
      if character == "'" {
        guard let end = characters[(position + 1)...].firstIndex(of: "'") else {
          throw MigrationError(.expression, start + 1, "the quotation mark is not closed")
        }
        literal(end == position + 1 ? "'" : String(characters[(position + 1)..<end]))
        position = end + 1
      } else if character.isASCIILetter {
        while position < characters.count, characters[position] == character { position += 1 }
        let count = position - start
        guard let (component, width) = letters[character], width == count,
          seen.insert(character).inserted
        else {
          throw MigrationError(
            .expression, start + 1,
            "'\(String(repeating: character, count: min(count, 20)))' is not part of a date, or "
              + "is repeated; use yyyy MM dd HH mm ss SSS, and letters in quotation marks")
        }
        parts.append(.field(component, width: width))
      } else {
        literal(String(character))
        position += 1
      }
    }
    return parts
  }

  func text(of date: CivilDate) -> String {
    var bytes: [UInt8] = []
    for part in parts {
      switch part {
      case .literal(let literal): bytes += literal
      case .field(let component, let width):
        let digits = Array(String(date[keyPath: component]).utf8)
        bytes += [UInt8](repeating: 0x30, count: max(0, width - digits.count)) + digits
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func date(from text: String) -> CivilDate? {
    var date = CivilDate()
    var rest = Array(text.utf8)[...]
    for part in parts {
      switch part {
      case .literal(let literal):
        guard rest.starts(with: literal) else { return nil }
        rest = rest.dropFirst(literal.count)
      case .field(let component, let width):
        let digits = rest.prefix(width)
        guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
          return nil
        }
        date[keyPath: component] = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        rest = rest.dropFirst(width)
      }
    }
    return rest.isEmpty ? date : nil
  }
}
