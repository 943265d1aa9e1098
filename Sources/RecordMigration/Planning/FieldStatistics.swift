import Foundation
import RecordModel

/// Statistics of the values of fields, for guessing how a schema change affects them. Values of
/// encrypted fields are not stored.
public struct FieldStatistics: Sendable {
  /// The statistics of one field of one record type.
  ///
  /// A list is counted in a category if all of its elements belong to it.
  public struct Field: Sendable {
    /// The number of records with a value.
    public var count = 0
    /// The number of values that are 64-bit integers: integers, strings of integers, doubles
    /// without a fraction, and dates at a full second.
    public var integers = 0
    /// The number of values that are numbers or strings of numbers.
    public var numbers = 0
    /// The number of values that are dates or strings of ISO 8601 dates.
    public var dates = 0
    /// The number of values that are strings or UTF-8 bytes.
    public var strings = 0
    /// The number of references to records in the same zone.
    public var sameZoneReferences = 0
    /// The number of lists with exactly one element.
    public var singleElementLists = 0
    /// The range of the numbers. `nil` if there are none, and for encrypted fields.
    public var bounds: ClosedRange<Double>?
    /// The distinct values as strings, with their number of occurrences. Empty if ``hasManyValues``
    /// is true.
    public var distinct: [String: Int] = [:]
    /// Whether the values are not listed: there are more than ``maxDistinct``, they are encrypted,
    /// or one has no string form of at most 40 bytes.
    public var hasManyValues = false
    /// A sample for checking whether two fields have the same values.
    var sample = ValueSample()

    /// The maximum number of distinct values kept.
    public static let maxDistinct = 12
  }

  /// The fields, by record type and name.
  public private(set) var types: [String: [String: Field]] = [:]
  /// The number of records of each type.
  public private(set) var records: [String: Int] = [:]

  /// Creates empty statistics.
  public init() {}

  /// Adds a record.
  public mutating func add(_ record: ResultRecord) {
    let type = record.recordType
    let zoneID = record.recordID.zoneID
    records[type, default: 0] += 1
    for field in record.fields {
      types[type, default: [:]][field.name, default: Field()].add(field, in: zoneID)
    }
  }
}

extension FieldStatistics.Field {
  fileprivate mutating func add(_ field: RecordModel.Field, in zoneID: ZoneID) {
    count += 1
    let elements = field.value.elements ?? [field.value]
    if field.value.elements?.count == 1 { singleElementLists += 1 }
    for (count, contains) in Self.categories where elements.allSatisfy({ contains($0, zoneID) }) {
      self[keyPath: count] += 1
    }
    guard !field.isEncrypted else {
      hasManyValues = true
      return
    }
    for element in elements {
      if let text = Self.comparable(element) { sample.add(text) }
      switch element {
      case .int64(let number): extend(Double(number)...Double(number))
      case .double(let number) where number.isFinite: extend(number...number)
      default: break
      }
    }
    list(field.value)
  }

  private mutating func extend(_ range: ClosedRange<Double>) {
    bounds =
      bounds.map {
        min($0.lowerBound, range.lowerBound)...max($0.upperBound, range.upperBound)
      } ?? range
  }

  private mutating func list(_ value: RecordValue) {
    guard !hasManyValues else { return }
    if let text = TextForm.text(of: value), text.utf8.count <= 40 {
      distinct[text, default: 0] += 1
      if distinct.count <= Self.maxDistinct { return }
    }
    hasManyValues = true
    distinct = [:]
  }

  /// Returns the text used to compare values of different types, or `nil` if there is none.
  private static func comparable(_ value: RecordValue) -> String? {
    if case .reference(let reference) = value { return reference.recordID.recordName }
    return TextForm.text(of: value)
  }

  /// Returns the combined statistics.
  func merged(with other: Self) -> Self {
    var sum = self
    for count in Self.categories.map(\.count) + [\.count, \.singleElementLists] {
      sum[keyPath: count] += other[keyPath: count]
    }
    if let bounds = other.bounds { sum.extend(bounds) }
    sum.distinct.merge(other.distinct) { $0 + $1 }
    sum.hasManyValues =
      hasManyValues || other.hasManyValues || sum.distinct.count > Self.maxDistinct
    if sum.hasManyValues { sum.distinct = [:] }
    return sum
  }

  private static let categories:
    [(
      count: WritableKeyPath<Self, Int> & Sendable,
      contains: @Sendable (RecordValue, ZoneID) -> Bool
    )] = [
      (\.integers, { value, _ in isWhole(value) }), (\.numbers, { value, _ in isNumber(value) }),
      (\.dates, { value, _ in isDate(value) }), (\.strings, { value, _ in isText(value) }),
      (\.sameZoneReferences, isNear),
    ]

  private static func isWhole(_ value: RecordValue) -> Bool {
    switch value {
    case .int64: true
    case .string(let text): TextForm.integer(from: text) != nil
    case .double(let number): Int64(exactly: number) != nil
    case .timestamp(let date): Int64(exactly: date.timeIntervalSinceReferenceDate) != nil
    default: false
    }
  }

  private static func isNumber(_ value: RecordValue) -> Bool {
    switch value {
    case .int64, .double: true
    case .string(let text): TextForm.number(from: text) != nil
    default: false
    }
  }

  private static func isDate(_ value: RecordValue) -> Bool {
    switch value {
    case .timestamp: true
    case .string(let text): DateFormat.iso8601.date(from: text) != nil
    default: false
    }
  }

  private static func isText(_ value: RecordValue) -> Bool {
    switch value {
    case .string: true
    case .bytes(let data): String(data: data, encoding: .utf8) != nil
    default: false
    }
  }

  private static func isNear(_ value: RecordValue, _ zoneID: ZoneID) -> Bool {
    guard case .reference(let reference) = value else { return false }
    return reference.recordID.zoneID == zoneID
  }
}
