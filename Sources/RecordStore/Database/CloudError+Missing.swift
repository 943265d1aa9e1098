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
