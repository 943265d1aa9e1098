import Foundation

extension CKSyncEngine {
  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event
  public enum Event: Sendable, CustomStringConvertible {
    /// The state has changed. Store the serialization.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/stateupdate(_:)
    case stateUpdate(StateUpdate)
    /// A user signed in or out, or another one signed in.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/accountchange(_:)
    case accountChange(AccountChange)
    /// The engine fetched zones that were changed or deleted.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/fetcheddatabasechanges(_:)
    case fetchedDatabaseChanges(FetchedDatabaseChanges)
    /// The engine fetched records that were changed or deleted.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/fetchedrecordzonechanges(_:)
    case fetchedRecordZoneChanges(FetchedRecordZoneChanges)
    /// The engine sent zones, and the results are here.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentdatabasechanges(_:)
    case sentDatabaseChanges(SentDatabaseChanges)
    /// The engine sent a batch of records, and the results are here.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentrecordzonechanges(_:)
    case sentRecordZoneChanges(SentRecordZoneChanges)
    /// The engine begins to fetch the changes of the database.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/willfetchchanges(_:)
    case willFetchChanges(WillFetchChanges)
    /// The engine begins to fetch the changes of a zone.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/willfetchrecordzonechanges(_:)
    case willFetchRecordZoneChanges(WillFetchRecordZoneChanges)
    /// The engine has fetched the changes of a zone, or failed to.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/didfetchrecordzonechanges(_:)
    case didFetchRecordZoneChanges(DidFetchRecordZoneChanges)
    /// The engine has fetched the changes of the database.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/didfetchchanges(_:)
    case didFetchChanges(DidFetchChanges)
    /// The engine begins to send changes.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/willsendchanges(_:)
    case willSendChanges(WillSendChanges)
    /// The engine has sent changes.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/didsendchanges(_:)
    case didSendChanges(DidSendChanges)

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/stateupdate
    public struct StateUpdate: Sendable, CustomStringConvertible {
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/stateupdate/stateserialization
      public let stateSerialization: CKSyncEngine.State.Serialization
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/accountchange
    public struct AccountChange: Sendable, CustomStringConvertible {
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/accountchange/changetype-swift.enum
      public enum ChangeType: Sendable, Equatable {
        /// The user signed in. Pending changes of the engine were removed.
        /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/accountchange/changetype-swift.enum/signin(currentuser:)
        case signIn(currentUser: CKRecord.ID)
        /// The user signed out. Delete the local data of the user.
        /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/accountchange/changetype-swift.enum/signout(previoususer:)
        case signOut(previousUser: CKRecord.ID)
        /// Another user signed in. Delete the local data of the previous one.
        /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/accountchange/changetype-swift.enum/switchaccounts(previoususer:currentuser:)
        case switchAccounts(previousUser: CKRecord.ID, currentUser: CKRecord.ID)
      }

      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/accountchange/changetype-swift.property
      public let changeType: ChangeType
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/fetcheddatabasechanges
    public struct FetchedDatabaseChanges: Sendable, CustomStringConvertible {
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/fetcheddatabasechanges/modifications
      public let modifications: [CKDatabase.DatabaseChange.Modification]
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/fetcheddatabasechanges/deletions
      public let deletions: [CKDatabase.DatabaseChange.Deletion]
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/fetchedrecordzonechanges
    public struct FetchedRecordZoneChanges: Sendable, CustomStringConvertible {
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/fetchedrecordzonechanges/modifications
      public let modifications: [CKDatabase.RecordZoneChange.Modification]
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/fetchedrecordzonechanges/deletions
      public let deletions: [CKDatabase.RecordZoneChange.Deletion]
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentdatabasechanges
    public struct SentDatabaseChanges: Sendable, CustomStringConvertible {
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentdatabasechanges/failedzonesave
      public struct FailedZoneSave: Sendable {
        /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentdatabasechanges/failedzonesave/zone
        public let zone: CKRecordZone
        /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentdatabasechanges/failedzonesave/error
        public let error: CKError
      }

      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentdatabasechanges/savedzones
      public let savedZones: [CKRecordZone]
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentdatabasechanges/failedzonesaves
      public let failedZoneSaves: [FailedZoneSave]
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentdatabasechanges/deletedzoneids
      public let deletedZoneIDs: [CKRecordZone.ID]
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentdatabasechanges/failedzonedeletes
      public let failedZoneDeletes: [CKRecordZone.ID: CKError]
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentrecordzonechanges
    public struct SentRecordZoneChanges: Sendable, CustomStringConvertible {
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentrecordzonechanges/failedrecordsave
      public struct FailedRecordSave: Sendable {
        /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentrecordzonechanges/failedrecordsave/record
        public let record: CKRecord
        /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentrecordzonechanges/failedrecordsave/error
        public let error: CKError
      }

      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentrecordzonechanges/savedrecords
      public let savedRecords: [CKRecord]
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentrecordzonechanges/failedrecordsaves
      public let failedRecordSaves: [FailedRecordSave]
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentrecordzonechanges/deletedrecordids
      public let deletedRecordIDs: [CKRecord.ID]
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/sentrecordzonechanges/failedrecorddeletes
      public let failedRecordDeletes: [CKRecord.ID: CKError]
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/willfetchchanges
    public struct WillFetchChanges: Sendable, CustomStringConvertible {
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/willfetchchanges/context
      public let context: FetchChangesContext
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/willfetchrecordzonechanges
    public struct WillFetchRecordZoneChanges: Sendable, CustomStringConvertible {
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/willfetchrecordzonechanges/zoneid
      public let zoneID: CKRecordZone.ID
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/didfetchrecordzonechanges
    public struct DidFetchRecordZoneChanges: Sendable, CustomStringConvertible {
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/didfetchrecordzonechanges/zoneid
      public let zoneID: CKRecordZone.ID
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/didfetchrecordzonechanges/error
      public let error: CKError?
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/didfetchchanges
    public struct DidFetchChanges: Sendable, CustomStringConvertible {
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/didfetchchanges/context
      public let context: FetchChangesContext
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/willsendchanges
    public struct WillSendChanges: Sendable, CustomStringConvertible {
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/willsendchanges/context
      public let context: SendChangesContext
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/didsendchanges
    public struct DidSendChanges: Sendable, CustomStringConvertible {
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/event/didsendchanges/context
      public let context: SendChangesContext
    }

    /// https://developer.apple.com/documentation/swift/customstringconvertible/description
    public var description: String { "CKSyncEngine.Event" }
  }
}

// All payloads are described; the texts are not those of the framework.

extension CKSyncEngine.Event.StateUpdate {
  /// https://developer.apple.com/documentation/swift/customstringconvertible/description
  public var description: String { "StateUpdate" }
}

extension CKSyncEngine.Event.AccountChange {
  /// https://developer.apple.com/documentation/swift/customstringconvertible/description
  public var description: String { "AccountChange" }
}

extension CKSyncEngine.Event.FetchedDatabaseChanges {
  /// https://developer.apple.com/documentation/swift/customstringconvertible/description
  public var description: String { "FetchedDatabaseChanges" }
}

extension CKSyncEngine.Event.FetchedRecordZoneChanges {
  /// https://developer.apple.com/documentation/swift/customstringconvertible/description
  public var description: String { "FetchedRecordZoneChanges" }
}

extension CKSyncEngine.Event.SentDatabaseChanges {
  /// https://developer.apple.com/documentation/swift/customstringconvertible/description
  public var description: String { "SentDatabaseChanges" }
}

extension CKSyncEngine.Event.SentRecordZoneChanges {
  /// https://developer.apple.com/documentation/swift/customstringconvertible/description
  public var description: String { "SentRecordZoneChanges" }
}

extension CKSyncEngine.Event.WillFetchChanges {
  /// https://developer.apple.com/documentation/swift/customstringconvertible/description
  public var description: String { "WillFetchChanges" }
}

extension CKSyncEngine.Event.WillFetchRecordZoneChanges {
  /// https://developer.apple.com/documentation/swift/customstringconvertible/description
  public var description: String { "WillFetchRecordZoneChanges" }
}

extension CKSyncEngine.Event.DidFetchRecordZoneChanges {
  /// https://developer.apple.com/documentation/swift/customstringconvertible/description
  public var description: String { "DidFetchRecordZoneChanges" }
}

extension CKSyncEngine.Event.DidFetchChanges {
  /// https://developer.apple.com/documentation/swift/customstringconvertible/description
  public var description: String { "DidFetchChanges" }
}

extension CKSyncEngine.Event.WillSendChanges {
  /// https://developer.apple.com/documentation/swift/customstringconvertible/description
  public var description: String { "WillSendChanges" }
}

extension CKSyncEngine.Event.DidSendChanges {
  /// https://developer.apple.com/documentation/swift/customstringconvertible/description
  public var description: String { "DidSendChanges" }
}
