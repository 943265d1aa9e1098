/// The integer types a field can be read as and written from.
///
/// Each is stored as `INT64`. Reading gives nil where the stored value does not fit the type.
extension RecordValueConvertible where Self: FixedWidthInteger {
  /// An `INT64` value.
  public var recordValue: RecordValue { .int64(Int64(self)) }

  /// An `INT64` value that fits this type.
  public init?(recordValue: RecordValue) {
    guard case .int64(let value) = recordValue, let exact = Self(exactly: value) else {
      return nil
    }
    self = exact
  }
}

extension Int: RecordValueConvertible {}
extension Int8: RecordValueConvertible {}
extension Int16: RecordValueConvertible {}
extension Int32: RecordValueConvertible {}
extension Int64: RecordValueConvertible {}
extension UInt8: RecordValueConvertible {}
extension UInt16: RecordValueConvertible {}
extension UInt32: RecordValueConvertible {}
