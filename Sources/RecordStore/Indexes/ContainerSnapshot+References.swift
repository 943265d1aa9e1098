import RecordModel

extension ContainerSnapshot {
  /// Returns the shares of a zone that a user has accepted, by name.
  ///
  /// Without the index of participants, all shares of the zone are read.
  package func shares(
    acceptedBy user: String, in zoneID: ZoneID, of scope: DatabaseScope
  ) throws -> [RecordID] {
    guard let zone = try zoneRow(zoneID, in: scope) else { return [] }
    if let index = try index(.participant) {
      return try index.names(of: IndexKey(user: user), zone: zone, in: db)
        .map { RecordID(recordName: $0, zoneID: zoneID) }
    }
    var found: [RecordID] = []
    let filter = RecordFilter(zoneIDs: [zoneID], recordTypes: [Share.recordType])
    try forEachRecord(in: scope, filter: filter) { record in
      if record.acceptingUsers.contains(where: { $0.sameScalars(as: user) }) {
        found.append(record.recordID)
      }
    }
    return found
  }

  /// Whether the container has an index of records of all types.
  package func hasIndex(_ kind: RecordIndex.Kind) throws -> Bool { try index(kind) != nil }

  /// Returns the records that refer to a record of the same zone, by name; none without the index,
  /// which a transaction or ``ContainerStore/makeIndex(_:)`` makes.
  package func records(
    referringTo recordID: RecordID, as kind: RecordIndex.Kind, in scope: DatabaseScope
  ) throws -> [RecordID] {
    guard let zone = try zoneRow(recordID.zoneID, in: scope),
      let index = try index(kind)
    else { return [] }
    let key = IndexKey(referenceTo: recordID, in: recordID.zoneID)
    return try index.names(of: key, zone: zone, in: db)
      .map { RecordID(recordName: $0, zoneID: recordID.zoneID) }
  }
}

extension ContainerStore {
  /// Makes an index of records of all types, if the container does not have it and can be changed.
  package func makeIndex(_ kind: RecordIndex.Kind) throws {
    guard !isReadOnly, try !snapshot({ try $0.hasIndex(kind) }) else { return }
    try transaction { _ = try $0.index(kind) }
  }

  /// Makes the index by which the shares of a user are found, if the container has several users.
  package func makeParticipantIndex() throws {
    if try !info().accounts.isEmpty { try makeIndex(.participant) }
  }
}
