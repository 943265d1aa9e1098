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

extension UUID: FieldScalar {
  static var fieldType: ValueType? { .string }

  static func read(_ value: RecordValue) throws(ValueFailure) -> UUID {
    guard case .string(let text) = value else { throw .wrongType("STRING for UUID") }
    guard let uuid = UUID(uuidString: text) else { throw .invalidValue("a UUID") }
    return uuid
  }

  func fieldValue() -> RecordValue { .string(uuidString) }
}

extension URL: FieldScalar {
  static var fieldType: ValueType? { .string }

  static func read(_ value: RecordValue) throws(ValueFailure) -> URL {
    guard case .string(let text) = value else { throw .wrongType("STRING for URL") }
    guard let url = URL(string: text) else { throw .invalidValue("a URL") }
    return url
  }

  func fieldValue() -> RecordValue { .string(absoluteString) }
}

// MARK: - Numbers

// CloudKit's framework returns numbers as `NSNumber`, which converts between integers and doubles
// wherever no information is lost.

extension FieldScalar where Self: FixedWidthInteger {
  static var fieldType: ValueType? { .int64 }

  static func read(_ value: RecordValue) throws(ValueFailure) -> Self {
    let exact: Self?
    switch value {
    case .int64(let number): exact = Self(exactly: number)
    case .double(let number): exact = Self(exactly: number)
    default: throw .wrongType("INT64 for \(Self.self)")
    }
    guard let exact else { throw .outOfRange("an integer from \(Self.min) to \(Self.max)") }
    return exact
  }

  func fieldValue() throws(ValueFailure) -> RecordValue {
    guard let number = Int64(exactly: self) else {
      throw .outOfRange("an integer from \(Int64.min) to \(Int64.max), as INT64 holds")
    }
    return .int64(number)
  }
}

extension Int: FieldScalar {}
extension Int8: FieldScalar {}
extension Int16: FieldScalar {}
extension Int32: FieldScalar {}
extension Int64: FieldScalar {}
extension UInt: FieldScalar {}
extension UInt8: FieldScalar {}
extension UInt16: FieldScalar {}
extension UInt32: FieldScalar {}
extension UInt64: FieldScalar {}

extension Bool: ConvertibleScalar {
  static var fieldType: ValueType? { .int64 }

  static func read(_ value: RecordValue) throws(ValueFailure) -> Bool {
    switch value {
    case .int64(let number): return number != 0
    case .double(0): return false
    case .double(1): return true
    case .double: throw .outOfRange("0 or 1 for Bool")
    default: throw .wrongType("INT64 for Bool")
    }
  }
}

extension Double: ConvertibleScalar {
  static var fieldType: ValueType? { .double }

  static func read(_ value: RecordValue) throws(ValueFailure) -> Double {
    switch value {
    case .double(let number): return number
    case .int64(let number):
      guard let exact = Double(exactly: number) else {
        throw .outOfRange("an integer that Double represents exactly")
      }
      return exact
    default: throw .wrongType("DOUBLE for Double")
    }
  }
}

extension Float: ConvertibleScalar {
  static var fieldType: ValueType? { .double }

  /// The nearest float: a DOUBLE that was written as 0.1 has no exact one.
  static func read(_ value: RecordValue) throws(ValueFailure) -> Float {
    guard value.type == .double || value.type == .int64 else {
      throw .wrongType("DOUBLE for Float")
    }
    let number = try Double.read(value)
    let rounded = Float(number)
    guard rounded.isFinite || !number.isFinite else {
      throw .outOfRange("a number in Float's range")
    }
    return rounded
  }
}

extension RecordValue {
  /// The value in another type of field, if that holds the same: numbers only.
  func fitted(to type: ValueType?) -> RecordValue {
    switch (self, type) {
    case (.int64(let number), .double):
      Double(exactly: number).map(RecordValue.double) ?? self
    case (.double(let number), .int64):
      Int64(exactly: number).map(RecordValue.int64) ?? self
    default: self
    }
  }

  /// Whether all numbers of the value are finite, as those of a field must be.
  var isFinite: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .timestamp(let date): date.timeIntervalSinceReferenceDate.isFinite
    case .doubleList(let list): list.allSatisfy(\.isFinite)
    case .timestampList(let list):
      list.allSatisfy(\.timeIntervalSinceReferenceDate.isFinite)
    default: true
    }
  }

  /// The type and, where that is short, the value; an encrypted value is left out.
  func description(isEncrypted: Bool) -> String {
    if isEncrypted { return "an encrypted \(typeName)" }
    switch self {
    case .int64(let number): return "INT64 \(number)"
    case .double(let number): return "DOUBLE \(number)"
    case .string(let text):
      return text.count <= 40 ? "STRING \"\(text)\"" : "STRING \"\(text.prefix(40))…\""
    default: return typeName
    }
  }
}
