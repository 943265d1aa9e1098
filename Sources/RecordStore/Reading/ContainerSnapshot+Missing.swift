import RecordModel

extension CloudError {
  /// The error for a zone that a database does not have.
  package static func zoneNotFound(_ zoneID: ZoneID, in scope: DatabaseScope) -> CloudError {
    CloudError(.zoneNotFound, "zone '\(zoneID)' is not in the \(scope.rawValue) database")
  }

  /// The error for a record that a database does not have.
  package static func unknownItem(_ recordID: RecordID, in scope: DatabaseScope) -> CloudError {
    CloudError(.unknownItem, "record '\(recordID)' is not in the \(scope.rawValue) database")
  }
}

extension ContainerSnapshot {
  /// Returns the error for a zone that a database does not have: `userDeletedZone` if the user has
  /// purged it, and `zoneNotFound` otherwise, which says whether the user reset their encrypted data.
  ///
  /// Sources: Apple's documentation of `CKError.Code.userDeletedZone`; the message in Seam3 #72;
  /// <https://developer.apple.com/documentation/cloudkit/encrypting-user-data>.
  ///
  /// - Throws: the error of a zone that cannot be read, if one may have this name: an app deletes its
  ///   copy of a zone that does not exist.
  package func missingZone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> CloudError {
    let tombstone = try tombstone(of: zoneID, in: scope)
    guard try tombstone != nil || !lacksZones(in: scope) else {
      throw unreadable(
        "zone '\(zoneID)'", in: scope,
        "it is not found, but the row of a zone is damaged or missing")
    }
    let reason = tombstone?.reason
    if reason == .purged { return CloudError(.userDeletedZone, "Zone was purged by user") }
    var error = CloudError.zoneNotFound(zoneID, in: scope)
    error.userDidResetEncryptedData = reason == .encryptedDataReset
    return error
  }

  /// Whether a subscription of a database may exist without being found.
  package func lacksSubscriptions(in scope: DatabaseScope) throws -> Bool {
    let areNamed = try db.all(
      "\(CheckedTable.subscription.select) WHERE scope = ?", [scope.rank]
    ) { row in
      guard !row.isIntact(.subscription),
        let subscription = try? StoreCoding.read(
          CloudSubscription.self, from: row.bytes(3), name: "")
      else { return true }
      return subscription.subscriptionID == row.string(1)
    }
    let counts = (try? DatabaseRow.read(scope, from: db))?.counts
    return areNamed.contains(false)
      || hasCounts && counts.map { $0[.subscriptions] != areNamed.count } ?? false
  }

  /// Whether a zone of a database may exist without being found. A snapshot looks once.
  package func lacksZones(in scope: DatabaseScope) throws -> Bool {
    if let known = lacksZones[scope] { return known }
    let areNamed = try db.all("\(CheckedTable.zone.select) WHERE scope = ?", [scope.rank]) { row in
      guard !row.isIntact(.zone),
        let zone = try? StoreCoding.read(RecordZone.self, from: row.bytes(6), name: "")
      else { return true }
      return zone.zoneID == row.zoneID(2)
    }
    let result =
      try areNamed.contains(false)
      || expectedZones(in: scope).map { $0 != areNamed.count } ?? false
    lacksZones[scope] = result
    return result
  }
}
