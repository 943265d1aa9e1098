import RecordModel

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
extension Int128: FieldScalar {}
extension UInt: FieldScalar {}
extension UInt8: FieldScalar {}
extension UInt16: FieldScalar {}
extension UInt32: FieldScalar {}
extension UInt64: FieldScalar {}
extension UInt128: FieldScalar {}

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
