import RecordCoding
import RecordModel

extension ArchiveSource {
  /// The zones, those of deleted zones and, in responses, of every record among them.
  package func zoneIDs() throws -> [(database: DatabaseScope, zoneID: ZoneID)] {
    if case .responses(let responses) = self {
      return try responses.names().zones.map { (responses.database, $0) }
    }
    return try zones().map { ($0.database, $0.zone.zoneID) }
      + zoneTombstones().map { ($0.database, $0.tombstone.zoneID) }
  }

  /// The record types of what a filter selects.
  ///
  /// - Parameter withDeleted: Whether those of deleted records are among them. In responses they
  ///   always are.
  package func recordTypes(_ filter: RecordFilter, withDeleted: Bool) throws -> NameSet {
    if case .responses(let responses) = self {
      let selected = try responses.names().sections.filter {
        filter.contains(database: $0.database, zoneID: $0.zoneID)
      }
      return NameSet(selected.map(\.recordType))
    }
    var types = NameSet(try sections(filter).map(\.recordType))
    guard withDeleted else { return types }
    try forEachTombstone(filter) { tombstone, _ in
      if let type = tombstone.recordType { types.insert(type) }
    }
    return types
  }
}

extension ResponseSet {
  /// The zones and record types that responses name.
  struct Names: Sendable {
    private(set) var zones: Set<ZoneID> = []
    private(set) var sections: Set<RecordSection> = []

    mutating func add(_ response: ResponseContents, _ database: DatabaseScope) {
      zones.formUnion(response.allZones.map(\.zoneID))
      for item in response.items {
        switch item {
        case .record(let record): add(database, record.recordID.zoneID, record.recordType)
        case .tombstone(let deleted): add(database, deleted.recordID.zoneID, deleted.recordType)
        case .zone(let zone): zones.insert(zone.zoneID)
        case .deletedZone(let zoneID): zones.insert(zoneID)
        case .subscription, .error, .unread: break
        }
      }
    }

    private mutating func add(_ database: DatabaseScope, _ zoneID: ZoneID, _ type: String?) {
      zones.insert(zoneID)
      if let type { sections.insert(RecordSection(database, zoneID, type)) }
    }
  }
}
