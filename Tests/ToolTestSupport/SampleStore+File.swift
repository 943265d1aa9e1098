import RecordStore
import TestSupport

extension SampleStore {
  /// Makes a store, with or without objects.
  package static func make(_ name: String, in folder: String, isEmpty: Bool = false) throws {
    let db = try SQLiteConnection(folder + "/" + name, creates: true)
    try db.execute(emptySQL)
    if !isEmpty { try db.execute(objectsSQL) }
    try db.close()
  }
}
