import Foundation
import RecordModel

/// A Swift type that a field holds as one value of a CloudKit type.
protocol FieldScalar: Sendable {
  /// The type of field that new values of this Swift type are written to; nil if it depends on the
  /// value.
  static var fieldType: ValueType? { get }
  static func read(_ value: RecordValue) throws(ValueFailure) -> Self
  func fieldValue() throws(ValueFailure) -> RecordValue
}

/// The reason why a value cannot be converted.
struct ValueFailure: Error {
  let code: TypedRecordError.Code
  let expected: String
}

extension ValueFailure {
  static func wrongType(_ expected: String) -> ValueFailure {
    ValueFailure(code: .wrongType, expected: expected)
  }

  static func outOfRange(_ expected: String) -> ValueFailure {
    ValueFailure(code: .outOfRange, expected: expected)
  }

  static func invalidValue(_ expected: String) -> ValueFailure {
    ValueFailure(code: .invalidValue, expected: expected)
  }
}

/// A scalar with the conversions of the model.
protocol ConvertibleScalar: FieldScalar, RecordValueConvertible {}

extension ConvertibleScalar {
  static func read(_ value: RecordValue) throws(ValueFailure) -> Self {
    guard let converted = Self(recordValue: value) else {
      throw .wrongType(fieldType.map { "\($0.rawValue) for \(Self.self)" } ?? "\(Self.self)")
    }
    return converted
  }

  func fieldValue() -> RecordValue { recordValue }
}

extension String: ConvertibleScalar {
  static var fieldType: ValueType? { .string }
}

extension Date: ConvertibleScalar {
  static var fieldType: ValueType? { .timestamp }
}

extension Data: ConvertibleScalar {
  static var fieldType: ValueType? { .bytes }
}

extension Location: ConvertibleScalar {
  static var fieldType: ValueType? { .location }
}

extension Reference: ConvertibleScalar {
  static var fieldType: ValueType? { .reference }
}

extension Asset: ConvertibleScalar {
  static var fieldType: ValueType? { .asset }
}

extension RecordValue: ConvertibleScalar {
  static var fieldType: ValueType? { nil }
}
