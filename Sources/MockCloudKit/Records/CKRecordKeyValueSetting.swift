import Foundation

public protocol CKRecordKeyValueSetting: NSObjectProtocol {
  func object(forKey key: CKRecord.FieldKey) -> (any CKRecordValue)?
  func setObject(_ object: (any CKRecordValue)?, forKey key: CKRecord.FieldKey)
  subscript(key: CKRecord.FieldKey) -> (any CKRecordValue)? { get set }
  func allKeys() -> [CKRecord.FieldKey]
  func changedKeys() -> [CKRecord.FieldKey]
}

extension CKRecordKeyValueSetting {
  public subscript<T>(key: CKRecord.FieldKey) -> T? where T: CKRecordValueProtocol {
    get { object(forKey: key).flatMap { ($0 as Any) as? T } }
    set { withRecordObject(newValue) { setObject($0, forKey: key) } }
  }

  public subscript(key: CKRecord.FieldKey) -> (any CKRecordValueProtocol)? {
    get { object(forKey: key) as? any CKRecordValueProtocol }
    set { withRecordObject(newValue) { setObject($0, forKey: key) } }
  }
}
