import RecordModel
import RecordText

/// What `delete` deletes: records, or a zone.
struct Deletion {
  struct Record {
    let place: RecordPlace
    let type: String

    var identity: Identity { Identity(place.database, place.recordID, type: type) }
  }

  private(set) var records: [Record] = []
  private var places: Set<RecordPlace> = []
  /// The names that no record has.
  var missing: [String] = []
  /// The zone, and the number of its records.
  var zone: (database: DatabaseScope, zoneID: ZoneID, records: Int)?

  init(zone: (database: DatabaseScope, zoneID: ZoneID, records: Int)? = nil) {
    self.zone = zone
  }

  mutating func add(_ record: ResultRecord, in database: DatabaseScope) {
    let place = RecordPlace(database: database, recordID: record.recordID)
    guard places.insert(place).inserted else { return }
    records.append(Record(place: place, type: record.recordType))
  }

  func contains(_ database: DatabaseScope, _ recordID: RecordID) -> Bool {
    if let zone { return zone.database == database && zone.zoneID == recordID.zoneID }
    return places.contains(RecordPlace(database: database, recordID: recordID))
  }
}
