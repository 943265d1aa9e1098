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

  /// A zone that is gone (`CKDatabase.DatabaseChange.Deletion`).
  public typealias Deletion = DeletedZone
}
