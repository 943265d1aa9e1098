import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckrecordkeyvaluesetting
public protocol CKRecordKeyValueSetting: NSObjectProtocol {
  /// https://developer.apple.com/documentation/cloudkit/ckrecordkeyvaluesetting/object(forkey:)
  func object(forKey key: CKRecord.FieldKey) -> (any CKRecordValue)?
  /// https://developer.apple.com/documentation/cloudkit/ckrecordkeyvaluesetting/setobject(_:forkey:)
  func setObject(_ object: (any CKRecordValue)?, forKey key: CKRecord.FieldKey)
  /// https://developer.apple.com/documentation/cloudkit/ckrecordkeyvaluesetting/subscript(_:)
  subscript(key: CKRecord.FieldKey) -> (any CKRecordValue)? { get set }
  /// https://developer.apple.com/documentation/cloudkit/ckrecordkeyvaluesetting/allkeys()
  func allKeys() -> [CKRecord.FieldKey]
  /// https://developer.apple.com/documentation/cloudkit/ckrecordkeyvaluesetting/changedkeys()
  func changedKeys() -> [CKRecord.FieldKey]
}

extension CKRecordKeyValueSetting {
  /// https://developer.apple.com/documentation/cloudkit/ckrecordkeyvaluesetting/subscript(_:)
  public subscript<T>(key: CKRecord.FieldKey) -> T? where T: CKRecordValueProtocol {
    get { object(forKey: key).flatMap { ($0 as Any) as? T } }
    set { setObject(newValue.map(recordObject), forKey: key) }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecordkeyvaluesetting/subscript(_:)
  public subscript(key: CKRecord.FieldKey) -> (any CKRecordValueProtocol)? {
    get { object(forKey: key) as? any CKRecordValueProtocol }
    set { setObject(newValue.map(recordObject), forKey: key) }
  }
}

/// Returns a Swift value as the object that a record stores.
private func recordObject(_ value: any CKRecordValueProtocol) -> any CKRecordValue {
  switch value {
  case let value as String: value as NSString
  case let value as Date: value as NSDate
  case let value as Data: value as NSData
  case let value as Bool: NSNumber(value: value)
  case let value as Double: NSNumber(value: value)
  case let value as Float: NSNumber(value: value)
  case let value as any BinaryInteger: number(value)
  case let values as [any CKRecordValueProtocol]: NSArray(array: values.map(recordObject))
  case let object as any CKRecordValue: object
  default: preconditionFailure("\(type(of: value)) is not a type of CloudKit")
  }
}

private func number(_ value: some BinaryInteger) -> NSNumber {
  Int64(exactly: value).map { NSNumber(value: $0) }
    ?? NSNumber(value: UInt64(truncatingIfNeeded: value))
}
