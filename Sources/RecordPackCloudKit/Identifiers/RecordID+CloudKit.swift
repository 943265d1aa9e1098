#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension RecordID {
    /// Creates an identifier from one of CloudKit.
    public init(_ recordID: CKRecord.ID) {
      self.init(recordName: recordID.recordName, zoneID: ZoneID(recordID.zoneID))
    }
  }

  extension CKRecord.ID {
    /// Creates an identifier from one of RecordPack.
    ///
    /// CloudKit raises an exception for a name that `RecordLimits` does not allow.
    public convenience init(_ recordID: RecordID) {
      self.init(recordName: recordID.recordName, zoneID: CKRecordZone.ID(recordID.zoneID))
    }
  }
#endif
