import Foundation

extension CKSyncEngine {
  public enum Event: Sendable, CustomStringConvertible {
    /// The state has changed. Store the serialization.
    case stateUpdate(StateUpdate)
    /// A user signed in or out, or another one signed in.
    case accountChange(AccountChange)
    /// The engine fetched zones that were changed or deleted.
    case fetchedDatabaseChanges(FetchedDatabaseChanges)
    /// The engine fetched records that were changed or deleted.
    case fetchedRecordZoneChanges(FetchedRecordZoneChanges)
    /// The engine sent zones, and the results are here.
    case sentDatabaseChanges(SentDatabaseChanges)
    /// The engine sent a batch of records, and the results are here.
    case sentRecordZoneChanges(SentRecordZoneChanges)
    /// The engine begins to fetch the changes of the database.
    case willFetchChanges(WillFetchChanges)
    /// The engine begins to fetch the changes of a zone.
    case willFetchRecordZoneChanges(WillFetchRecordZoneChanges)
    /// The engine has fetched the changes of a zone, or failed to.
    case didFetchRecordZoneChanges(DidFetchRecordZoneChanges)
    /// The engine has fetched the changes of the database.
    case didFetchChanges(DidFetchChanges)
    /// The engine begins to send changes.
    case willSendChanges(WillSendChanges)
    /// The engine has sent changes.
    case didSendChanges(DidSendChanges)

    public struct StateUpdate: Sendable, CustomStringConvertible {
      public let stateSerialization: CKSyncEngine.State.Serialization
    }

    public struct AccountChange: Sendable, CustomStringConvertible {
      public enum ChangeType: Sendable, Equatable {
        /// The user signed in. Pending changes of the engine were removed.
        case signIn(currentUser: CKRecord.ID)
        /// The user signed out. Delete the local data of the user.
        case signOut(previousUser: CKRecord.ID)
        /// Another user signed in. Delete the local data of the previous one.
        case switchAccounts(previousUser: CKRecord.ID, currentUser: CKRecord.ID)
      }

      public let changeType: ChangeType
    }

    public struct FetchedDatabaseChanges: Sendable, CustomStringConvertible {
      public let modifications: [CKDatabase.DatabaseChange.Modification]
      public let deletions: [CKDatabase.DatabaseChange.Deletion]
    }

    public struct FetchedRecordZoneChanges: Sendable, CustomStringConvertible {
      public let modifications: [CKDatabase.RecordZoneChange.Modification]
      public let deletions: [CKDatabase.RecordZoneChange.Deletion]
    }

    public struct SentDatabaseChanges: Sendable, CustomStringConvertible {
      public struct FailedZoneSave: Sendable {
        public let zone: CKRecordZone
        public let error: CKError
      }

      public let savedZones: [CKRecordZone]
      public let failedZoneSaves: [FailedZoneSave]
      public let deletedZoneIDs: [CKRecordZone.ID]
      public let failedZoneDeletes: [CKRecordZone.ID: CKError]
    }

    public struct SentRecordZoneChanges: Sendable, CustomStringConvertible {
      public struct FailedRecordSave: Sendable {
        public let record: CKRecord
        public let error: CKError
      }

      public let savedRecords: [CKRecord]
      public let failedRecordSaves: [FailedRecordSave]
      public let deletedRecordIDs: [CKRecord.ID]
      public let failedRecordDeletes: [CKRecord.ID: CKError]
    }

    public struct WillFetchChanges: Sendable, CustomStringConvertible {
      public let context: FetchChangesContext
    }

    public struct WillFetchRecordZoneChanges: Sendable, CustomStringConvertible {
      public let zoneID: CKRecordZone.ID
    }

    public struct DidFetchRecordZoneChanges: Sendable, CustomStringConvertible {
      public let zoneID: CKRecordZone.ID
      public let error: CKError?
    }

    public struct DidFetchChanges: Sendable, CustomStringConvertible {
      public let context: FetchChangesContext
    }

    public struct WillSendChanges: Sendable, CustomStringConvertible {
      public let context: SendChangesContext
    }

    public struct DidSendChanges: Sendable, CustomStringConvertible {
      public let context: SendChangesContext
    }

    public var description: String {
      switch self {
      case .stateUpdate(let event): event.description
      case .accountChange(let event): event.description
      case .fetchedDatabaseChanges(let event): event.description
      case .fetchedRecordZoneChanges(let event): event.description
      case .sentDatabaseChanges(let event): event.description
      case .sentRecordZoneChanges(let event): event.description
      case .willFetchChanges(let event): event.description
      case .willFetchRecordZoneChanges(let event): event.description
      case .didFetchRecordZoneChanges(let event): event.description
      case .didFetchChanges(let event): event.description
      case .willSendChanges(let event): event.description
      case .didSendChanges(let event): event.description
      }
    }
  }
}

// In the form that CloudKit's logs show for the contexts: `<SendChangesContext reason=scheduled options=…>`.

extension CKSyncEngine.Event.StateUpdate {
  public var description: String {
    "<StateUpdate>"
  }
}

extension CKSyncEngine.Event.AccountChange {
  public var description: String {
    switch changeType {
    case .signIn(let current): "<AccountChange signIn currentUser=\(current)>"
    case .signOut(let previous): "<AccountChange signOut previousUser=\(previous)>"
    case .switchAccounts(let previous, let current):
      "<AccountChange switchAccounts previousUser=\(previous) currentUser=\(current)>"
    }
  }
}

extension CKSyncEngine.Event.FetchedDatabaseChanges {
  public var description: String {
    "<FetchedDatabaseChanges modifications=\(modifications.map(\.zoneID))"
      + " deletions=\(deletions.map(\.zoneID))>"
  }
}

extension CKSyncEngine.Event.FetchedRecordZoneChanges {
  public var description: String {
    "<FetchedRecordZoneChanges modifications=\(modifications.map(\.record.recordID))"
      + " deletions=\(deletions.map(\.recordID))>"
  }
}

extension CKSyncEngine.Event.SentDatabaseChanges {
  public var description: String {
    "<SentDatabaseChanges savedZones=\(savedZones.map(\.zoneID))"
      + " failedZoneSaves=\(failedZoneSaves.map(\.error))"
      + " deletedZoneIDs=\(deletedZoneIDs) failedZoneDeletes=\(failedZoneDeletes)>"
  }
}

extension CKSyncEngine.Event.SentRecordZoneChanges {
  public var description: String {
    "<SentRecordZoneChanges savedRecords=\(savedRecords.map(\.recordID))"
      + " failedRecordSaves=\(failedRecordSaves.map(\.error))"
      + " deletedRecordIDs=\(deletedRecordIDs) failedRecordDeletes=\(failedRecordDeletes)>"
  }
}

extension CKSyncEngine.Event.WillFetchChanges {
  public var description: String {
    "<WillFetchChanges context=\(context)>"
  }
}

extension CKSyncEngine.Event.WillFetchRecordZoneChanges {
  public var description: String {
    "<WillFetchRecordZoneChanges zoneID=\(zoneID)>"
  }
}

extension CKSyncEngine.Event.DidFetchRecordZoneChanges {
  public var description: String {
    "<DidFetchRecordZoneChanges zoneID=\(zoneID) error=\(error.map { "\($0)" } ?? "nil")>"
  }
}

extension CKSyncEngine.Event.DidFetchChanges {
  public var description: String {
    "<DidFetchChanges context=\(context)>"
  }
}

extension CKSyncEngine.Event.WillSendChanges {
  public var description: String {
    "<WillSendChanges context=\(context)>"
  }
}

extension CKSyncEngine.Event.DidSendChanges {
  public var description: String {
    "<DidSendChanges context=\(context)>"
  }
}
