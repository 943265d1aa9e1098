import CloudInterface
import Foundation
import RecordModel

extension CKDatabase {
  public enum DatabaseChange {
    public struct Modification: Sendable, Hashable {
      public let zoneID: CKRecordZone.ID

      init(_ change: CloudInterface.DatabaseChange.Modification) {
        zoneID = CKRecordZone.ID(change.zoneID)
      }
    }

    public struct Deletion: Sendable, Hashable {
      public enum Reason: Sendable, Equatable {
        /// Somebody deleted the zone.
        case deleted
        /// The user deleted the app's data in iCloud's settings.
        case purged
        /// The user reset encrypted data, and the zone with it. Upload the local data again.
        case encryptedDataReset
      }

      public let zoneID: CKRecordZone.ID
      public let reason: Reason
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

  public enum RecordZoneChange {
    public struct Modification: Sendable, Hashable {
      public let record: CKRecord

      init(_ record: CKRecord) { self.record = record }
    }

    public struct Deletion: Sendable, Hashable {
      public let recordID: CKRecord.ID
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
