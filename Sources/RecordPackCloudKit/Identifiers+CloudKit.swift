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

  extension ZoneID {
    /// Creates an identifier from one of CloudKit.
    public init(_ zoneID: CKRecordZone.ID) {
      self.init(zoneName: zoneID.zoneName, ownerName: zoneID.ownerName)
    }
  }

  extension CKRecordZone.ID {
    /// Creates an identifier from one of RecordPack.
    ///
    /// CloudKit raises an exception for a name that `RecordLimits` does not allow.
    public convenience init(_ zoneID: ZoneID) {
      self.init(zoneName: zoneID.zoneName, ownerName: zoneID.ownerName)
    }

    /// Creates an identifier.
    ///
    /// - Throws: `CloudError` with a violation if a name is not valid.
    convenience init(checking zoneID: ZoneID) throws {
      try RecordLimits.cloudKit.check(zoneID: zoneID)
      self.init(zoneID)
    }
  }

  extension Reference {
    /// Creates a reference from one of CloudKit.
    public init(_ reference: CKRecord.Reference) {
      self.init(
        recordID: RecordID(reference.recordID),
        action: reference.action == .deleteSelf ? .deleteSelf : .none)
    }
  }

  extension CKRecord.Reference {
    /// Creates a reference from one of RecordPack.
    ///
    /// `validate` exists only in Web Services; it becomes `none`.
    public convenience init(_ reference: RecordModel.Reference) {
      self.init(
        recordID: CKRecord.ID(reference.recordID),
        action: reference.action == .deleteSelf ? .deleteSelf : .none)
    }

    /// Creates a reference.
    ///
    /// - Throws: `CloudError` with a violation if a name is not valid.
    convenience init(checking reference: RecordModel.Reference) throws {
      _ = try CKRecord.ID(checking: reference.recordID)
      self.init(reference)
    }
  }

  extension DatabaseScope {
    /// Creates a scope from one of CloudKit; nil for one that this version does not know.
    public init?(_ scope: CKDatabase.Scope) {
      switch scope {
      case .public: self = .public
      case .private: self = .private
      case .shared: self = .shared
      @unknown default: return nil
      }
    }
  }

  extension CKDatabase.Scope {
    /// Creates a scope from one of RecordPack.
    public init(_ scope: DatabaseScope) {
      switch scope {
      case .public: self = .public
      case .private: self = .private
      case .shared: self = .shared
      }
    }
  }

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
#endif
