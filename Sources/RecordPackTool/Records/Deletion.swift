import RecordModel
import RecordText

/// What `delete` deletes: records, or a zone.
struct Deletion {
  struct Record {
    let location: RecordLocation
    let type: String
  }

  private(set) var records: [Record] = []
  private var locations: Set<RecordLocation> = []
  /// The names that no record has.
  var missing: [String] = []
  /// The zone, and the number of its records.
  var zone: (database: DatabaseScope, zoneID: ZoneID, records: Int)?

  init(zone: (database: DatabaseScope, zoneID: ZoneID, records: Int)? = nil) {
    self.zone = zone
  }

  mutating func add(_ record: ResultRecord, in database: DatabaseScope) {
    let location = RecordLocation(database, record.recordID)
    guard locations.insert(location).inserted else { return }
    records.append(Record(location: location, type: record.recordType))
  }

  func contains(_ database: DatabaseScope, _ recordID: RecordID) -> Bool {
    if let zone { return zone.database == database && zone.zoneID == recordID.zoneID }
    return locations.contains(RecordLocation(database, recordID))
  }
}
