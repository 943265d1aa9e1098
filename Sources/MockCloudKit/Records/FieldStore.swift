import Foundation
import RecordModel

/// The values of a record, plain or encrypted, and the keys that have changed.
struct FieldStore {
  private(set) var values: [String: any CKRecordValue] = [:]
  private(set) var changed: Set<String> = []
  /// The server's fields from which unchanged values were made, or which the server made of them. An
  /// archive does not have them.
  private(set) var known: [String: Field] = [:]

  init() {}

  init(values: [String: any CKRecordValue], changed: Set<String> = []) {
    self.values = values
    self.changed = changed
  }

  /// Adds a field that the server returned.
  mutating func read(_ value: any CKRecordValue, from field: Field) {
    values[field.name] = value
    known[field.name] = field
  }

  mutating func set(_ value: (any CKRecordValue)?, for key: String) {
    values[key] = value
    changed.insert(key)
  }

  /// Ends the changes that a request saved; a value that was set since then is still a change.
  mutating func confirm(_ sent: FieldStore, as server: FieldStore) {
    for key in sent.changed {
      let (now, then) = (values[key], sent.values[key])
      guard now.map({ $0 as AnyObject }) === then.map({ $0 as AnyObject }) else { continue }
      changed.remove(key)
      known[key] = server.known[key]
    }
  }
}
