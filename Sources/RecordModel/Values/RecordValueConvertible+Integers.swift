/// Conversion of integers from and to `INT64` values.
///
/// Reading a value that does not fit the type returns nil.
extension RecordValueConvertible where Self: FixedWidthInteger {
  /// The integer as an `INT64` value.
  public var recordValue: RecordValue { .int64(Int64(self)) }

  /// Creates an integer from an `INT64` value; nil if it does not fit.
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
