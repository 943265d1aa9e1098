/// The place of a zone in a container.
package struct ZoneLocation: Hashable, Sendable, Comparable {
  package var database: DatabaseScope
  package var zoneID: ZoneID

  package init(_ database: DatabaseScope, _ zoneID: ZoneID) {
    self.database = database
    self.zoneID = zoneID
  }

  /// Orders zones as a bundle does.
  package static func < (a: Self, b: Self) -> Bool {
    a.database != b.database ? a.database < b.database : a.zoneID < b.zoneID
  }
}

/// The place of a record in a container.
package struct RecordLocation: Hashable, Sendable, Comparable {
  package var database: DatabaseScope
  package var recordID: RecordID

  package init(_ database: DatabaseScope, _ recordID: RecordID) {
    self.database = database
    self.recordID = recordID
  }

  /// The zone that contains the record.
  package var zone: ZoneLocation { ZoneLocation(database, recordID.zoneID) }

  /// Orders records by database, zone and name.
  package static func < (a: Self, b: Self) -> Bool {
    a.database != b.database ? a.database < b.database : a.recordID < b.recordID
  }
}

/// The records of one type in one zone of one database, which lie together in bundles and
/// containers.
package struct RecordSection: Hashable, Sendable {
  package var database: DatabaseScope
  package var zoneID: ZoneID
  @ExactText package var recordType: String

  package init(_ database: DatabaseScope, _ zoneID: ZoneID, _ recordType: String) {
    self.database = database
    self.zoneID = zoneID
    self.recordType = recordType
  }

  /// Whether it comes before another in a bundle.
  package func precedes(_ other: Self) -> Bool {
    if database != other.database { return database < other.database }
    if zoneID != other.zoneID { return zoneID < other.zoneID }
    return compareUTF8(recordType, other.recordType) < 0
  }

  /// Whether its record of a name comes before another section's record of another name in a
  /// bundle.
  package func precedes(_ other: Self, _ name: String, _ otherName: String) -> Bool {
    self == other ? compareUTF8(name, otherName) < 0 : precedes(other)
  }
}

extension RecordFilter {
  /// Whether records of a section pass, their dates aside.
  package func contains(_ section: RecordSection) -> Bool {
    contains(database: section.database, zoneID: section.zoneID, recordType: section.recordType)
  }
}
