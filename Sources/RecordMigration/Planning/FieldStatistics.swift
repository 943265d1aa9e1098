import RecordModel

/// What the values of fields look like: counted in a bundle to guess what a change of the schema
/// means for them. No values of encrypted fields are kept.
public struct FieldStatistics: Sendable {
  /// One field of one record type.
  public struct Field: Sendable {
    /// Records that have a value.
    public var count = 0
    /// Values that are texts of integers.
    public var integers = 0
    /// Values that are texts of numbers.
    public var numbers = 0
    /// Values that are texts of dates by ISO 8601.
    public var dates = 0
    /// Lists of exactly one element.
    public var singles = 0
    /// The first distinct texts and integers, and how often they occur; empty where there are more
    /// than ``mostDistinct``.
    public var distinct: [String: Int] = [:]
    /// Whether there are too many to list.
    public var hasManyValues = false

    /// The most distinct values that are kept.
    public static let mostDistinct = 12
  }

  /// The fields, by record type and name.
  public private(set) var types: [String: [String: Field]] = [:]
  /// The number of records of each type.
  public private(set) var records: [String: Int] = [:]

  /// Counts nothing yet.
  public init() {}

  /// Counts a record.
  public mutating func add(_ record: ResultRecord) {
    let type = record.recordType
    records[type, default: 0] += 1
    for field in record.fields {
      types[type, default: [:]][field.name, default: Field()].add(field)
    }
  }
}

extension FieldStatistics.Field {
  fileprivate mutating func add(_ field: RecordModel.Field) {
    count += 1
    if field.value.elements?.count == 1 { singles += 1 }
    guard !field.isEncrypted, let text = TextForm.text(of: field.value) else {
      hasManyValues = true
      return
    }
    if case .string = field.value {
      if TextForm.integer(from: text) != nil { integers += 1 }
      if TextForm.number(from: text) != nil { numbers += 1 }
      if DateForm.iso8601.date(from: text) != nil { dates += 1 }
    }
    guard !hasManyValues, text.utf8.count <= 40 else {
      hasManyValues = true
      distinct = [:]
      return
    }
    distinct[text, default: 0] += 1
    if distinct.count > Self.mostDistinct {
      hasManyValues = true
      distinct = [:]
    }
  }
}
