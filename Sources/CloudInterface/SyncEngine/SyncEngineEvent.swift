import RecordModel

/// Something that an engine reports to its delegate (`CKSyncEngine.Event`).
///
/// An engine waits for ``SyncEngineDelegate/handleEvent(_:syncEngine:)`` before it reports the next
/// event. Test code can make events and pass them to a delegate.
public enum SyncEngineEvent: Sendable {
  /// The state has changed; the app stores it.
  case stateUpdate(StateUpdate)
  /// A user has signed in or out. The engine has cleared its state.
  case accountChange(AccountChange)
  /// Zones were created, changed or deleted on the server.
  case fetchedDatabaseChanges(FetchedDatabaseChanges)
  /// Records were saved or deleted on the server. They do not come again.
  case fetchedRecordZoneChanges(FetchedRecordZoneChanges)
  /// Pending changes of zones were sent.
  case sentDatabaseChanges(SentDatabaseChanges)
  /// A batch of records was sent, or failed.
  case sentRecordZoneChanges(SentRecordZoneChanges)
  /// A fetch begins.
  case willFetchChanges(WillFetchChanges)
  /// The fetch of a zone begins.
  case willFetchRecordZoneChanges(WillFetchRecordZoneChanges)
  /// The fetch of a zone has ended.
  case didFetchRecordZoneChanges(DidFetchRecordZoneChanges)
  /// A fetch has ended.
  case didFetchChanges(DidFetchChanges)
  /// A send begins.
  case willSendChanges(WillSendChanges)
  /// A send has ended.
  case didSendChanges(DidSendChanges)

  /// A new state (`CKSyncEngine.Event.StateUpdate`).
  public struct StateUpdate: Sendable {
    /// The state to store, together with the data of the events before.
    public let stateSerialization: SyncEngineStateSerialization

    /// Creates the payload of an event.
    public init(stateSerialization: SyncEngineStateSerialization) {
      self.stateSerialization = stateSerialization
    }
  }

  /// A change of the account (`CKSyncEngine.Event.AccountChange`).
  public struct AccountChange: Sendable {
    /// A kind of change.
    public enum ChangeType: Sendable, Hashable {
      /// A user has signed in, or the engine is new and had no state.
      case signIn(currentUser: RecordID)
      /// The user has signed out.
      case signOut(previousUser: RecordID)
      /// Another user has signed in.
      case switchAccounts(previousUser: RecordID, currentUser: RecordID)
    }

    /// The kind of change.
    public let changeType: ChangeType

    /// Creates the payload of an event.
    public init(changeType: ChangeType) { self.changeType = changeType }
  }

  /// Changes of zones on the server (`CKSyncEngine.Event.FetchedDatabaseChanges`).
  public struct FetchedDatabaseChanges: Sendable {
    /// The zones that are new or have changed.
    public let modifications: [DatabaseChange.Modification]
    /// The zones that are gone, each with the reason.
    public let deletions: [DatabaseChange.Deletion]

    /// Creates the payload of an event.
    public init(
      modifications: [DatabaseChange.Modification] = [], deletions: [DatabaseChange.Deletion] = []
    ) {
      self.modifications = modifications
      self.deletions = deletions
    }
  }

  /// Changes of records on the server (`CKSyncEngine.Event.FetchedRecordZoneChanges`).
  public struct FetchedRecordZoneChanges: Sendable {
    /// The records that are new or have changed, in no promised order.
    public let modifications: [RecordZoneChange.Modification]
    /// The records that were deleted.
    public let deletions: [RecordZoneChange.Deletion]

    /// Creates the payload of an event.
    public init(
      modifications: [RecordZoneChange.Modification] = [],
      deletions: [RecordZoneChange.Deletion] = []
    ) {
      self.modifications = modifications
      self.deletions = deletions
    }
  }

  /// The results of pending changes of zones (`CKSyncEngine.Event.SentDatabaseChanges`).
  public struct SentDatabaseChanges: Sendable {
    /// A zone that was not saved.
    public struct FailedZoneSave: Sendable {
      /// The zone.
      public let zone: RecordZone
      /// The reason.
      public let error: CloudError

      /// Creates a failure.
      public init(zone: RecordZone, error: CloudError) {
        self.zone = zone
        self.error = error
      }
    }

    /// The zones that were saved.
    public let savedZones: [RecordZone]
    /// The zones that were not saved.
    public let failedZoneSaves: [FailedZoneSave]
    /// The zones that were deleted.
    public let deletedZoneIDs: [ZoneID]
    /// The zones that were not deleted, each with the reason.
    public let failedZoneDeletes: [ZoneID: CloudError]

    /// Creates the payload of an event.
    public init(
      savedZones: [RecordZone] = [], failedZoneSaves: [FailedZoneSave] = [],
      deletedZoneIDs: [ZoneID] = [], failedZoneDeletes: [ZoneID: CloudError] = [:]
    ) {
      self.savedZones = savedZones
      self.failedZoneSaves = failedZoneSaves
      self.deletedZoneIDs = deletedZoneIDs
      self.failedZoneDeletes = failedZoneDeletes
    }
  }

  /// The results of a batch (`CKSyncEngine.Event.SentRecordZoneChanges`).
  public struct SentRecordZoneChanges: Sendable {
    /// A record that was not saved.
    public struct FailedRecordSave: Sendable {
      /// The record as it was sent.
      public let record: DraftRecord
      /// The reason.
      public let error: CloudError

      /// Creates a failure.
      public init(record: DraftRecord, error: CloudError) {
        self.record = record
        self.error = error
      }
    }

    /// The records that were saved, as the server has them.
    public let savedRecords: [ResultRecord]
    /// The records that were not saved.
    public let failedRecordSaves: [FailedRecordSave]
    /// The records that were deleted.
    public let deletedRecordIDs: [RecordID]
    /// The records that were not deleted, each with the reason.
    public let failedRecordDeletes: [RecordID: CloudError]

    /// Creates the payload of an event.
    public init(
      savedRecords: [ResultRecord] = [], failedRecordSaves: [FailedRecordSave] = [],
      deletedRecordIDs: [RecordID] = [], failedRecordDeletes: [RecordID: CloudError] = [:]
    ) {
      self.savedRecords = savedRecords
      self.failedRecordSaves = failedRecordSaves
      self.deletedRecordIDs = deletedRecordIDs
      self.failedRecordDeletes = failedRecordDeletes
    }
  }

  /// The beginning of a fetch (`CKSyncEngine.Event.WillFetchChanges`).
  public struct WillFetchChanges: Sendable {
    /// The reason and the zones.
    public let context: FetchChangesContext

    /// Creates the payload of an event.
    public init(context: FetchChangesContext) { self.context = context }
  }

  /// The beginning of the fetch of a zone (`CKSyncEngine.Event.WillFetchRecordZoneChanges`).
  public struct WillFetchRecordZoneChanges: Sendable {
    /// The zone.
    public let zoneID: ZoneID

    /// Creates the payload of an event.
    public init(zoneID: ZoneID) { self.zoneID = zoneID }
  }

  /// The end of the fetch of a zone (`CKSyncEngine.Event.DidFetchRecordZoneChanges`).
  public struct DidFetchRecordZoneChanges: Sendable {
    /// The zone.
    public let zoneID: ZoneID
    /// The error of the zone; nil for success.
    public let error: CloudError?

    /// Creates the payload of an event.
    public init(zoneID: ZoneID, error: CloudError? = nil) {
      self.zoneID = zoneID
      self.error = error
    }
  }

  /// The end of a fetch (`CKSyncEngine.Event.DidFetchChanges`).
  public struct DidFetchChanges: Sendable {
    /// The reason and the zones.
    public let context: FetchChangesContext

    /// Creates the payload of an event.
    public init(context: FetchChangesContext) { self.context = context }
  }

  /// The beginning of a send (`CKSyncEngine.Event.WillSendChanges`).
  public struct WillSendChanges: Sendable {
    /// The reason and the records.
    public let context: SendChangesContext

    /// Creates the payload of an event.
    public init(context: SendChangesContext) { self.context = context }
  }

  /// The end of a send (`CKSyncEngine.Event.DidSendChanges`).
  public struct DidSendChanges: Sendable {
    /// The reason and the records.
    public let context: SendChangesContext

    /// Creates the payload of an event.
    public init(context: SendChangesContext) { self.context = context }
  }
}
