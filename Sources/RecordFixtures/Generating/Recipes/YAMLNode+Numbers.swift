import Foundation
import RecordCoding
import RecordSchema

extension YAMLNode {
  /// Throws if a number or flag is quoted: it is text then, as for the JSON Schema.
  private func refuseQuotes(_ what: String) throws {
    guard let scalar = node.scalar, scalar.style != .plain else { return }
    throw error("\(what) is text here: write it without quotes")
  }

  /// Returns true or false.
  func flag(_ what: String) throws -> Bool {
    try refuseQuotes(what)
    return try bool(what)
  }

  /// Returns text; an empty value and null are none.
  func word(_ what: String) throws -> String {
    guard !isNull else { throw error("\(what) is empty") }
    return try text(what)
  }

  func integer(_ what: String, in range: ClosedRange<Int>, hint: String? = nil) throws -> Int {
    try refuseQuotes(what)
    guard let number = Int(node.scalar?.string ?? ""), range.contains(number) else {
      throw error(
        "\(what) is a whole number from \(range.lowerBound) to \(range.upperBound), not \(kind)"
          + (hint.map { ": \($0)" } ?? ""))
    }
    return number
  }

  func number(_ what: String) throws -> Double {
    try refuseQuotes(what)
    guard let text = node.scalar?.string, let number = Self.decimal(text) else {
      throw error("\(what) is a number, not \(kind)")
    }
    return number
  }

  /// Returns the number of a decimal text; nil for the other spellings that Swift reads.
  static func decimal(_ text: String) -> Double? {
    guard text.utf8.count <= 40, let first = text.utf8.first,
      first == UInt8(ascii: "-") || (0x30...0x39).contains(first)
    else { return nil }
    return CanonicalNumber.double(from: text)
  }

  /// Returns a part of a whole, from 0 to 1.
  func rate(_ what: String) throws -> Double {
    try refuseQuotes(what)
    guard let rate = node.scalar.flatMap({ Self.decimal($0.string) }), (0...1).contains(rate) else {
      throw error("\(what) is a number from 0 to 1, not \(kind)")
    }
    return rate
  }

  /// Reads `a..b`; a single value is both ends.
  private func range<T: Comparable>(
    _ what: String, _ noun: String, _ read: (String) -> T?
  ) throws -> ClosedRange<T> {
    let parts = node.scalar?.string.components(separatedBy: "..") ?? []
    let values = parts.compactMap { read($0.trimmingCharacters(in: .whitespaces)) }
    guard let low = values.first, let high = values.last, values.count == parts.count,
      parts.count <= 2
    else { throw error("\(what) is \(noun) or a range such as a..b, not \(kind)") }
    guard low <= high else { throw error("\(what): the range \(kind) ends before it begins") }
    return low...high
  }

  func integers(_ what: String, in allowed: ClosedRange<Int>) throws -> ClosedRange<Int> {
    let range = try range(what, "a whole number") { Int($0) }
    guard allowed.contains(range.lowerBound), allowed.contains(range.upperBound) else {
      throw error(
        "\(what) is \(kind); it must be from \(allowed.lowerBound) to \(allowed.upperBound)")
    }
    return range
  }

  func decimals(_ what: String) throws -> ClosedRange<Double> {
    try range(what, "a number", Self.decimal)
  }

  /// Throws if no number of a range has so many decimal places.
  func check(_ range: ClosedRange<Double>, hasPlaces places: Int, _ what: String = "") throws {
    let first =
      Double(DecimalValues.units(range, places).lowerBound) / DecimalValues.scale(places)
    guard range.contains(first) else {
      throw error(
        what + "no number from \(range.lowerBound) to \(range.upperBound) has \(places) decimals")
    }
  }

  // MARK: Times and sizes

  /// Returns the milliseconds since 1970 of a date.
  func date(_ what: String) throws -> Int {
    guard let date = Self.milliseconds(node.scalar?.string ?? "") else {
      throw error("\(what) is a date such as 2025-01-31 or 2025-01-31T12:00:00Z, not \(kind)")
    }
    return date
  }

  func dates(_ what: String) throws -> ClosedRange<Int> {
    try range(what, "a date such as 2025-01-31", Self.milliseconds)
  }

  private static func milliseconds(_ text: String) -> Int? {
    guard let date = ISODate.date(from: text) else { return nil }
    return Int((date.timeIntervalSinceReferenceDate * 1000).rounded()) + 978_307_200_000
  }

  /// Returns durations in milliseconds: `90s`, `15m..2h`, `7d`.
  func durations(_ what: String) throws -> ClosedRange<Int> {
    try range(what, "a duration such as 90s, 15m, 2h or 7d", Self.duration)
  }

  /// The units of durations, in milliseconds.
  static let durationUnits: [(unit: String, factor: Int)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  private static func duration(_ text: String) -> Int? {
    guard text != "0" else { return 0 }
    return quantity(text, durationUnits, atMost: 36_525 * 86_400_000)
  }

  static let sizeUnits: [(unit: String, factor: Int)] = [
    ("", 1), ("B", 1), ("kB", 1000), ("MB", 1_000_000), ("KiB", 1 << 10), ("MiB", 1 << 20),
  ]

  /// Returns sizes in bytes: `1500`, `2kB..64KiB`, `1MB`.
  func sizes(_ what: String, atMost most: Int) throws -> ClosedRange<Int> {
    let sizes = try range(what, "a size such as 1500, 20kB or 1MiB") {
      Self.quantity($0, Self.sizeUnits, atMost: .max)
    }
    guard sizes.upperBound <= most else {
      throw error("\(what) is \(kind); the maximum is \(most) bytes")
    }
    return sizes
  }

  private static func quantity(
    _ text: String, _ units: [(unit: String, factor: Int)], atMost most: Int
  ) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits),
      let unit = units.first(where: { $0.unit == text.dropFirst(digits.count) })
    else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit.factor)
    return overflow || product > most ? nil : product
  }
}

extension ClosedRange<Int> {
  /// A range of milliseconds as recipes have it.
  var durationYAML: String {
    func text(_ number: Int) -> String {
      guard number != 0 else { return "0s" }
      let unit = YAMLNode.durationUnits.last { number % $0.factor == 0 } ?? ("ms", 1)
      return "\(number / unit.factor)\(unit.unit)"
    }
    return count == 1 ? text(lowerBound) : "\(text(lowerBound))..\(text(upperBound))"
  }
}

extension YAMLNode {
  /// Reads a distribution: a number, a range, or a mapping with `weights`.
  ///
  /// - Parameter allowed: The smallest and the greatest number.
  func count(_ what: String, in allowed: ClosedRange<Int>) throws -> CountRule {
    guard node.mapping != nil else { return .init(try integers(what, in: allowed)) }
    let members = try members(what)
    guard let weights = members["weights"] else {
      throw error("\(what) is a number, a range, or has weights")
    }
    try members.allow(["weights"], in: what)
    return try weights.weights(what, in: allowed)
  }

  /// Reads ranges with their weights.
  func weights(_ what: String, in allowed: ClosedRange<Int>) throws -> CountRule {
    let pairs = try members("weights").pairs
    guard !pairs.isEmpty else { throw error("weights: there is no number") }
    let weights = try pairs.map { key, value in
      CountRule.Weight(range: try key.integers(what, in: allowed), weight: try value.weight())
    }
    guard weights.contains(where: { $0.weight > 0 }) else {
      throw error("weights: at least one is above 0")
    }
    return .weights(weights)
  }

  func weight() throws -> Double {
    let weight = try number("a weight")
    guard weight >= 0, weight <= 1e12 else { throw error("a weight is from 0 to 1e12") }
    return weight
  }
}
