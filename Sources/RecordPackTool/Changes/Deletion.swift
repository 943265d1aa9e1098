import RecordModel

/// What `delete` deletes: records, or a zone.
struct Deletion {
  struct Record {
    let database: DatabaseScope
    let recordID: RecordID
    let type: String

    var identity: Identity { Identity(database, recordID, type: type) }
  }

  private struct Key: Hashable {
    let database: DatabaseScope
    let recordID: RecordID
  }

  private(set) var records: [Record] = []
  private var keys: Set<Key> = []
  /// The names that no record has.
  var missing: [String] = []
  /// The zone, and the number of its records.
  var zone: (database: DatabaseScope, zoneID: ZoneID, records: Int)?

  init(zone: (database: DatabaseScope, zoneID: ZoneID, records: Int)? = nil) {
    self.zone = zone
  }

  mutating func add(_ record: ResultRecord, in database: DatabaseScope) {
    guard keys.insert(Key(database: database, recordID: record.recordID)).inserted else { return }
    records.append(
      Record(database: database, recordID: record.recordID, type: record.recordType))
  }

  func contains(_ database: DatabaseScope, _ recordID: RecordID) -> Bool {
    if let zone { return zone.database == database && zone.zoneID == recordID.zoneID }
    return keys.contains(Key(database: database, recordID: recordID))
  }
}
