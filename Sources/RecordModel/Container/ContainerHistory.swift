/// The changes of a container's databases, as far as change tokens need them to stay valid in a copy
/// of the container.
///
/// Changes are numbered; the change tag of a record is the number of its last change in base 36.
/// The history has what tags do not tell. A container that was not changed since it was filled has
/// none.
public struct ContainerHistory: Sendable, Hashable {
  /// The changes of a database.
  public struct Database: Sendable, Hashable {
    /// The database.
    public var scope: DatabaseScope
    /// The number of the last change.
    public var lastChange: Int64
    /// A number for what the container was filled with. Change tokens of another history, such as
    /// that of a part or a migrated copy, are expired.
    public var lineage: UInt64
    /// The number of the last change when the container was filled; 0 if it was made empty.
    public var loadedChange: Int64 = 0
    /// Up to this number, records may have changed later than their tags tell; 0 if none did.
    public var mergedChange: Int64 = 0
    /// The zones that were changed, created or deleted since the container was filled, in their
    /// order.
    public var zones: [Zone] = []

    /// Creates the history of a database.
    public init(scope: DatabaseScope, lastChange: Int64, lineage: UInt64) {
      self.scope = scope
      self.lastChange = lastChange
      self.lineage = lineage
    }
  }

  /// The changes of a zone.
  public struct Zone: Sendable, Hashable {
    /// The zone.
    public var zoneID: ZoneID
    /// The number of the last change of the zone, or of a record in it.
    public var lastChange: Int64
    /// Tokens of the zone from before this change are expired; 0 if none are. It is set when a zone
    /// is created, as there may have been one with its name before.
    public var firstChange: Int64

    /// Creates the history of a zone.
    public init(zoneID: ZoneID, lastChange: Int64, firstChange: Int64 = 0) {
      self.zoneID = zoneID
      self.lastChange = lastChange
      self.firstChange = firstChange
    }
  }

  /// The databases that were changed, in their order.
  public var databases: [Database]

  /// Creates a history.
  public init(databases: [Database] = []) { self.databases = databases }
}
