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
    set { withRecordObject(newValue) { setObject($0, forKey: key) } }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecordkeyvaluesetting/subscript(_:)
  public subscript(key: CKRecord.FieldKey) -> (any CKRecordValueProtocol)? {
    get { object(forKey: key) as? any CKRecordValueProtocol }
    set { withRecordObject(newValue) { setObject($0, forKey: key) } }
  }
}
