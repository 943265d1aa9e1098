#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  // CloudKit raises an exception for names that are not valid.

  extension CKRecord.ID {
    /// Creates an identifier.
    ///
    /// - Throws: `CloudError` with a violation if a name is not valid.
    convenience init(checking recordID: RecordID) throws {
      // Names of users begin with `_`; of which type a record is, is not known here.
      try RecordLimits.cloudKit.check(recordID: recordID, recordType: UserRecord.recordType)
      self.init(recordID)
    }
  }

  extension CKRecord.Reference {
    /// Creates a reference.
    ///
    /// - Throws: `CloudError` with a violation if a name is not valid.
    convenience init(checking reference: RecordModel.Reference) throws {
      _ = try CKRecord.ID(checking: reference.recordID)
      self.init(reference)
    }
  }

  extension CKRecordZone.ID {
    /// Creates an identifier.
    ///
    /// - Throws: `CloudError` with a violation if a name is not valid.
    convenience init(checking zoneID: ZoneID) throws {
      try RecordLimits.cloudKit.check(zoneID: zoneID)
      self.init(zoneID)
    }
  }
#endif
