import CloudInterface
import Foundation
import RecordModel

extension CKDatabase {
  /// https://developer.apple.com/documentation/cloudkit/ckdatabase/databasechange
  public enum DatabaseChange {
    /// https://developer.apple.com/documentation/cloudkit/ckdatabase/databasechange/modification
    public struct Modification: Sendable, Hashable {
      /// https://developer.apple.com/documentation/cloudkit/ckdatabase/databasechange/modification/zoneid
      public let zoneID: CKRecordZone.ID

      init(_ change: CloudInterface.DatabaseChange.Modification) {
        zoneID = CKRecordZone.ID(change.zoneID)
      }
    }

    /// https://developer.apple.com/documentation/cloudkit/ckdatabase/databasechange/deletion
    public struct Deletion: Sendable, Hashable {
      /// https://developer.apple.com/documentation/cloudkit/ckdatabase/databasechange/deletion/reason-swift.enum
      public enum Reason: Sendable, Equatable {
        /// Somebody deleted the zone.
        /// https://developer.apple.com/documentation/cloudkit/ckdatabase/databasechange/deletion/reason-swift.enum/deleted
        case deleted
        /// The user deleted the app's data in iCloud's settings.
        /// https://developer.apple.com/documentation/cloudkit/ckdatabase/databasechange/deletion/reason-swift.enum/purged
        case purged
        /// The user reset encrypted data, and the zone with it. Upload the local data again.
        /// https://developer.apple.com/documentation/cloudkit/ckdatabase/databasechange/deletion/reason-swift.enum/encrypteddatareset
        case encryptedDataReset
      }

      /// https://developer.apple.com/documentation/cloudkit/ckdatabase/databasechange/deletion/zoneid
      public let zoneID: CKRecordZone.ID
      /// https://developer.apple.com/documentation/cloudkit/ckdatabase/databasechange/deletion/reason-swift.property
      public let reason: Reason
      /// https://developer.apple.com/documentation/cloudkit/ckdatabase/databasechange/deletion/purged
      @available(*, deprecated, message: "now surfaced as Reason.purged")
      public var purged: Bool { reason == .purged }

      init(_ change: DeletedZone) {
        zoneID = CKRecordZone.ID(change.zoneID)
        reason =
          switch change.reason {
          case .deleted: .deleted
          case .purged: .purged
          case .encryptedDataReset: .encryptedDataReset
          }
      }
    }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckdatabase/recordzonechange
  public enum RecordZoneChange {
    /// https://developer.apple.com/documentation/cloudkit/ckdatabase/recordzonechange/modification
    public struct Modification: Sendable, Hashable {
      /// https://developer.apple.com/documentation/cloudkit/ckdatabase/recordzonechange/modification/record
      public let record: CKRecord

      init(_ record: CKRecord) { self.record = record }
    }

    /// https://developer.apple.com/documentation/cloudkit/ckdatabase/recordzonechange/deletion
    public struct Deletion: Sendable, Hashable {
      /// https://developer.apple.com/documentation/cloudkit/ckdatabase/recordzonechange/deletion/recordid
      public let recordID: CKRecord.ID
      /// https://developer.apple.com/documentation/cloudkit/ckdatabase/recordzonechange/deletion/recordtype
      public let recordType: CKRecord.RecordType

      init(_ change: CloudInterface.RecordZoneChange.Deletion) {
        recordID = CKRecord.ID(change.recordID)
        recordType = change.recordType
      }
    }
  }
}

@available(*, unavailable)
extension CKDatabase.DatabaseChange: Sendable {}

@available(*, unavailable)
extension CKDatabase.RecordZoneChange: Sendable {}
