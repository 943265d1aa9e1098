#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension DeletedZone {
    /// Creates the deletion of a zone from one of CloudKit.
    public init(_ deletion: CKDatabase.DatabaseChange.Deletion) {
      self.init(zoneID: ZoneID(deletion.zoneID), reason: Reason(deletion.reason))
    }
  }

  extension DeletedZone.Reason {
    fileprivate init(_ reason: CKDatabase.DatabaseChange.Deletion.Reason) {
      switch reason {
      case .deleted: self = .deleted
      case .purged: self = .purged
      case .encryptedDataReset: self = .encryptedDataReset
      @unknown default: self = .deleted
      }
    }
  }
#endif
