import RecordModel

/// Changes of a database (`CKDatabase.DatabaseChange`).
public enum DatabaseChange {
  /// A zone that is new, or whose records have changed.
  public struct Modification: Sendable, Hashable {
    /// The zone.
    public var zoneID: ZoneID

    /// Creates a modification.
    public init(zoneID: ZoneID) { self.zoneID = zoneID }
  }

  /// A zone that is gone.
  public struct Deletion: Sendable, Hashable {
    /// Why a zone is gone (`CKDatabase.DatabaseChange.Deletion.Reason`).
    public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
      /// The app deleted the zone, or the user no longer takes part in its share.
      case deleted
      /// The user deleted the app's data in the settings.
      case purged
      /// The user reset the encrypted data of the account.
      case encryptedDataReset
    }

    /// The zone.
    public var zoneID: ZoneID
    /// Why the zone is gone.
    public var reason: Reason

    /// Creates a deletion.
    public init(zoneID: ZoneID, reason: Reason = .deleted) {
      self.zoneID = zoneID
      self.reason = reason
    }
  }
}
