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
  /// purged it, and `zoneNotFound` otherwise.
  ///
  /// Sources: Apple's documentation of `CKError.Code.userDeletedZone`; the message in Seam3 #72.
  package func missingZone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> CloudError {
    guard try tombstone(of: zoneID, in: scope)?.reason == .purged else {
      return .zoneNotFound(zoneID, in: scope)
    }
    return CloudError(.userDeletedZone, "Zone was purged by user")
  }
}
