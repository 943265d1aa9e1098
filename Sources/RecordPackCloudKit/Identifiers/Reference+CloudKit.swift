#if canImport(CloudKit)
  import CloudKit
  import RecordModel

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
  }
#endif
