/// A deleted zone, as the change feed reports it.
public struct ZoneTombstone: Sendable, Hashable {
  /// Why a zone is gone (`CKDatabase.DatabaseChange.Deletion.Reason`).
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The app deleted the zone.
    case deleted = "DELETED"
    /// The user deleted the app's data in the settings.
    case purged = "PURGED"
    /// The user reset the encrypted data of the account.
    case encryptedDataReset = "ENCRYPTED_DATA_RESET"
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
