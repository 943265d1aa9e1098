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

  /// Ends the changes that a request saved; a value that was set since then is still a change.
  mutating func confirm(_ sent: FieldStore) {
    for key in sent.changed {
      let (now, then) = (values[key], sent.values[key])
      if now.map({ $0 as AnyObject }) === then.map({ $0 as AnyObject }) { changed.remove(key) }
    }
  }
}
