import Foundation

/// The values of a record, plain or encrypted, and the keys that have changed.
struct FieldStore {
  private(set) var values: [String: any CKRecordValue] = [:]
  private(set) var changed: Set<String> = []

  init() {}

  init(values: [String: any CKRecordValue], changed: Set<String> = []) {
    self.values = values
    self.changed = changed
  }

  mutating func set(_ value: (any CKRecordValue)?, for key: String) {
    values[key] = value
    changed.insert(key)
  }
}
