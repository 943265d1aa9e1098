/// The place of a zone in a container.
package struct ZoneLocation: Hashable, Sendable {
  package var database: DatabaseScope
  package var zoneID: ZoneID

  package init(_ database: DatabaseScope, _ zoneID: ZoneID) {
    self.database = database
    self.zoneID = zoneID
  }
}

/// The place of a record in a container.
package struct RecordLocation: Hashable, Sendable {
  package var database: DatabaseScope
  package var recordID: RecordID

  package init(_ database: DatabaseScope, _ recordID: RecordID) {
    self.database = database
    self.recordID = recordID
  }

  /// The zone that contains the record.
  package var zone: ZoneLocation { ZoneLocation(database, recordID.zoneID) }
}
