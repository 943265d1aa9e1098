/// A deleted zone, as the change feed reports it.
public struct DeletedZone: Sendable, Hashable {
  /// Why a zone is gone (`CKDatabase.DatabaseChange.Deletion.Reason`).
  public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
    /// The app deleted the zone, or the user no longer takes part in its share.
    case deleted
    /// The user deleted the app's data in the settings.
    case purged
    /// The user reset the encrypted data of the account.
    case encryptedDataReset
  }

  /// The identity of the deleted zone.
  public var zoneID: ZoneID
  /// Why the zone is gone.
  public var reason: Reason

  /// Creates a tombstone.
  public init(zoneID: ZoneID, reason: Reason = .deleted) {
    self.zoneID = zoneID
    self.reason = reason
  }
}
