import struct Foundation.Data
import struct Foundation.Date

/// A Swift type that can be the value of a record's field (`CKRecordValueProtocol`).
public protocol RecordValueConvertible: Sendable {
  /// The value as CloudKit stores it; nil where a list holds elements that no record can hold.
  var recordValue: RecordValue { get }

  /// The Swift value of a field; nil where the field is of another type or out of range.
  init?(recordValue: RecordValue)
}

extension RecordValue: RecordValueConvertible {
  /// The value itself.
  public var recordValue: RecordValue { self }

  /// The value itself.
  public init?(recordValue: RecordValue) { self = recordValue }
}

extension String: RecordValueConvertible {
  /// A `STRING` value.
  public var recordValue: RecordValue { .string(self) }

  /// The text of a `STRING` value.
  public init?(recordValue: RecordValue) {
    guard case .string(let value) = recordValue else { return nil }
    self = value
  }
}

extension Bool: RecordValueConvertible {
  /// The integer 1 or 0: CloudKit has no booleans.
  public var recordValue: RecordValue { .int64(self ? 1 : 0) }

  /// Whether an `INT64` value is other than 0.
  public init?(recordValue: RecordValue) {
    guard case .int64(let value) = recordValue else { return nil }
    self = value != 0
  }
}

extension Double: RecordValueConvertible {
  /// A `DOUBLE` value.
  public var recordValue: RecordValue { .double(self) }

  /// A `DOUBLE` value, or an `INT64` value that a double holds exactly.
  public init?(recordValue: RecordValue) {
    switch recordValue {
    case .double(let value): self = value
    case .int64(let value):
      guard let exact = Double(exactly: value) else { return nil }
      self = exact
    default: return nil
    }
  }
}

extension Float: RecordValueConvertible {
  /// A `DOUBLE` value.
  public var recordValue: RecordValue { .double(Double(self)) }

  /// A `DOUBLE` value, rounded.
  public init?(recordValue: RecordValue) {
    guard let value = Double(recordValue: recordValue) else { return nil }
    self = Float(value)
  }
}

extension Date: RecordValueConvertible {
  /// A `TIMESTAMP` value.
  public var recordValue: RecordValue { .timestamp(self) }

  /// The date of a `TIMESTAMP` value.
  public init?(recordValue: RecordValue) {
    guard case .timestamp(let value) = recordValue else { return nil }
    self = value
  }
}

extension Data: RecordValueConvertible {
  /// A `BYTES` value.
  public var recordValue: RecordValue { .bytes(self) }

  /// The bytes of a `BYTES` value.
  public init?(recordValue: RecordValue) {
    guard case .bytes(let value) = recordValue else { return nil }
    self = value
  }
}

extension Location: RecordValueConvertible {
  /// A `LOCATION` value.
  public var recordValue: RecordValue { .location(self) }

  /// The place of a `LOCATION` value.
  public init?(recordValue: RecordValue) {
    guard case .location(let value) = recordValue else { return nil }
    self = value
  }
}

extension Reference: RecordValueConvertible {
  /// A `REFERENCE` value.
  public var recordValue: RecordValue { .reference(self) }

  /// The reference of a `REFERENCE` value.
  public init?(recordValue: RecordValue) {
    guard case .reference(let value) = recordValue else { return nil }
    self = value
  }
}

extension Asset: RecordValueConvertible {
  /// An `ASSET` value.
  public var recordValue: RecordValue { .asset(self) }

  /// The file of an `ASSET` value.
  public init?(recordValue: RecordValue) {
    guard case .asset(let value) = recordValue else { return nil }
    self = value
  }
}
