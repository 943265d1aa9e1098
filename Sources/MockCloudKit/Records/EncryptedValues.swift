import Foundation

/// The encrypted values of a record, which the record and the view share.
final class EncryptedValues: NSObject, CKRecordKeyValueSetting, @unchecked Sendable {
  private let state: Locked<RecordState>

  init(_ state: Locked<RecordState>) { self.state = state }

  func object(forKey key: CKRecord.FieldKey) -> (any CKRecordValue)? {
    state.with { $0.encrypted.values[key] }
  }

  func setObject(_ object: (any CKRecordValue)?, forKey key: CKRecord.FieldKey) {
    let value: Any? = (object as? NSArray)?.firstObject ?? object
    guard !(value is CKAsset || value is CKRecord.Reference) else {
      return ClientException.raise("assets and references cannot be encrypted values")
    }
    withRecordObject(object) { stored in state.with { $0.encrypted.set(stored, for: key) } }
  }

  subscript(key: CKRecord.FieldKey) -> (any CKRecordValue)? {
    get { object(forKey: key) }
    set { setObject(newValue, forKey: key) }
  }

  func allKeys() -> [CKRecord.FieldKey] { state.with { $0.encrypted.values.keys.sorted() } }
  func changedKeys() -> [CKRecord.FieldKey] { state.with { $0.encrypted.changed.sorted() } }
}
