/// A call of a container or database, without its arguments.
public enum CloudOperation: String, Sendable, Hashable, CaseIterable, Codable {
  /// `records(for:desiredKeys:)`, and the calls that use it: `record(for:)`.
  case records
  /// `modifyRecords(saving:deleting:savePolicy:atomically:)`, and the calls that use it: `save(_:)`
  /// and `deleteRecord(withID:)`.
  case modifyRecords
  /// `records(matching:inZoneWith:desiredKeys:resultsLimit:)`.
  case query
  /// `records(continuingMatchFrom:desiredKeys:resultsLimit:)`.
  case continueQuery
  /// `databaseChanges(since:resultsLimit:)`.
  case databaseChanges
  /// `recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)`.
  case recordZoneChanges
  /// `allRecordZones()`.
  case allRecordZones
  /// `recordZones(for:)`, and the call that uses it: `recordZone(for:)`.
  case recordZones
  /// `modifyRecordZones(saving:deleting:)`, and the calls that use it.
  case modifyRecordZones
  /// `allSubscriptions()`.
  case allSubscriptions
  /// `subscriptions(for:)`, and the call that uses it: `subscription(for:)`.
  case subscriptions
  /// `modifySubscriptions(saving:deleting:)`, and the calls that use it.
  case modifySubscriptions
  /// `CloudContainer.accountStatus()`.
  case accountStatus
  /// `CloudContainer.userRecordID()`.
  case userRecordID
  /// `CloudContainer.shareParticipants(for:)`, and the calls that use it.
  case shareParticipants
  /// `CloudContainer.shareMetadatas(for:)`, and the call that uses it: `shareMetadata(for:)`.
  case shareMetadatas
  /// `CloudContainer.accept(_:)`, of one share or several.
  case accept

  /// Whether the call changes something on the server.
  public var isWriting: Bool {
    switch self {
    case .modifyRecords, .modifyRecordZones, .modifySubscriptions, .accept: true
    case .records, .query, .continueQuery, .databaseChanges, .recordZoneChanges, .allRecordZones,
      .recordZones, .allSubscriptions, .subscriptions, .accountStatus, .userRecordID,
      .shareParticipants, .shareMetadatas:
      false
    }
  }
}
