import RecordModel

/// The zones of a fetch (`CKSyncEngine.FetchChangesOptions`).
public struct FetchChangesOptions: Sendable {
  /// The zones whose changes are fetched.
  public var scope: Scope
  /// The name and size of the work, for CloudKit's own logs.
  public var operationGroup: OperationGroup
  /// The zones that are fetched first, in this order.
  public var prioritizedZoneIDs: [ZoneID] = []

  /// The zones whose changes are fetched (`CKSyncEngine.FetchChangesOptions.Scope`).
  public enum Scope: Sendable, Hashable {
    /// All zones.
    case all
    /// All zones except these.
    case allExcluding([ZoneID])
    /// These zones.
    case zoneIDs([ZoneID])

    /// Whether a zone is fetched.
    public func contains(_ zoneID: ZoneID) -> Bool {
      switch self {
      case .all: true
      case .allExcluding(let zoneIDs): !zoneIDs.contains(zoneID)
      case .zoneIDs(let zoneIDs): zoneIDs.contains(zoneID)
      }
    }
  }

  /// Creates options; without a group, a new one is made.
  public init(scope: Scope = .all, operationGroup: OperationGroup? = nil) {
    self.scope = scope
    self.operationGroup = operationGroup ?? OperationGroup()
  }
}

/// The records of a send (`CKSyncEngine.SendChangesOptions`).
public struct SendChangesOptions: Sendable {
  /// The records that are sent.
  public var scope: Scope
  /// The name and size of the work, for CloudKit's own logs.
  public var operationGroup: OperationGroup

  /// The records that are sent (`CKSyncEngine.SendChangesOptions.Scope`).
  public enum Scope: Sendable, Hashable {
    /// All records.
    case all
    /// All records except those of these zones.
    case allExcluding([ZoneID])
    /// The records of these zones.
    case zoneIDs([ZoneID])
    /// These records.
    case recordIDs([RecordID])

    /// Whether a record is sent.
    public func contains(_ recordID: RecordID) -> Bool {
      switch self {
      case .all: true
      case .allExcluding(let zoneIDs): !zoneIDs.contains(recordID.zoneID)
      case .zoneIDs(let zoneIDs): zoneIDs.contains(recordID.zoneID)
      case .recordIDs(let recordIDs): recordIDs.contains(recordID)
      }
    }

    /// Whether a pending change is sent.
    public func contains(_ pendingChange: PendingRecordZoneChange) -> Bool {
      contains(pendingChange.recordID)
    }

    /// Whether a change of a zone is sent. A send of single records sends no zones.
    package func contains(_ pendingChange: PendingDatabaseChange) -> Bool {
      switch self {
      case .all: true
      case .allExcluding(let zoneIDs): !zoneIDs.contains(pendingChange.zoneID)
      case .zoneIDs(let zoneIDs): zoneIDs.contains(pendingChange.zoneID)
      case .recordIDs: false
      }
    }
  }

  /// Creates options; without a group, a new one is made.
  public init(scope: Scope = .all, operationGroup: OperationGroup? = nil) {
    self.scope = scope
    self.operationGroup = operationGroup ?? OperationGroup()
  }
}

/// Whether the engine or the app started an operation (`CKSyncEngine.SyncReason`).
public enum SyncReason: Sendable, Hashable {
  /// The engine started it by itself.
  case scheduled
  /// The app called ``SyncEngine/fetchChanges(_:)`` or ``SyncEngine/sendChanges(_:)``.
  case manual
}

/// The reason for a fetch, and its options (`CKSyncEngine.FetchChangesContext`).
public struct FetchChangesContext: Sendable {
  /// Whether the engine or the app started the fetch.
  public let reason: SyncReason
  /// The zones of the fetch.
  public let options: FetchChangesOptions

  /// Creates a context, for a test of a delegate.
  public init(reason: SyncReason, options: FetchChangesOptions = FetchChangesOptions()) {
    self.reason = reason
    self.options = options
  }
}

/// The reason for a send, and its options (`CKSyncEngine.SendChangesContext`).
public struct SendChangesContext: Sendable {
  /// Whether the engine or the app started the send.
  public let reason: SyncReason
  /// The records of the send.
  public let options: SendChangesOptions

  /// Creates a context, for a test of a delegate.
  public init(reason: SyncReason, options: SendChangesOptions = SendChangesOptions()) {
    self.reason = reason
    self.options = options
  }
}

extension FetchChangesOptions: CustomStringConvertible {
  /// The zones in one line.
  public var description: String {
    let first = prioritizedZoneIDs.isEmpty ? "" : ", first \(EventText.list(prioritizedZoneIDs))"
    return "\(scope)\(first)"
  }
}

extension FetchChangesOptions.Scope: CustomStringConvertible {
  /// The zones in one line.
  public var description: String {
    switch self {
    case .all: "all zones"
    case .allExcluding(let zoneIDs): "all zones except \(EventText.list(zoneIDs))"
    case .zoneIDs(let zoneIDs): "zones \(EventText.list(zoneIDs))"
    }
  }
}

extension SendChangesOptions: CustomStringConvertible {
  /// The records in one line.
  public var description: String { "\(scope)" }
}

extension SendChangesOptions.Scope: CustomStringConvertible {
  /// The records in one line.
  public var description: String {
    switch self {
    case .all: "all zones"
    case .allExcluding(let zoneIDs): "all zones except \(EventText.list(zoneIDs))"
    case .zoneIDs(let zoneIDs): "zones \(EventText.list(zoneIDs))"
    case .recordIDs(let recordIDs): "records \(EventText.list(recordIDs))"
    }
  }
}

extension SyncReason: CustomStringConvertible {
  /// The name of the case.
  public var description: String { self == .scheduled ? "scheduled" : "manual" }
}

extension FetchChangesContext: CustomStringConvertible {
  /// The reason and the zones in one line.
  public var description: String { "\(reason), \(options)" }
}

extension SendChangesContext: CustomStringConvertible {
  /// The reason and the records in one line.
  public var description: String { "\(reason), \(options)" }
}
