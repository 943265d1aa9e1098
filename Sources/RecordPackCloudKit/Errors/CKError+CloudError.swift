#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension CKError {
    /// Creates an error of CloudKit, for code that expects one.
    ///
    /// Records of a conflict that CloudKit cannot have, and the errors of items whose names it does not
    /// take, are left out.
    public init(_ error: CloudError) {
      var info: [String: Any] = [:]
      if !error.message.isEmpty {
        info[NSLocalizedDescriptionKey] = error.message
        info[CloudError.serverDescriptionKey] = error.message
      }
      info[CKErrorRetryAfterKey] = error.retryAfter
      info[CKRecordChangedErrorServerRecordKey] = error.conflict?.serverRecord?.ckRecord
      info[CKRecordChangedErrorAncestorRecordKey] = error.conflict?.ancestorRecord?.ckRecord
      info[CKRecordChangedErrorClientRecordKey] = error.conflict?.clientRecord.flatMap {
        try? $0.ckRecord(includingAllFields: true)
      }
      var items: [AnyHashable: any Error] = [:]
      for (id, error) in error.partialErrors {
        guard let item = try? CKRecord.ID(checking: id) else { continue }
        items[item] = CKError(error)
      }
      if !items.isEmpty { info[CKPartialErrorsByItemIDKey] = items }
      self.init(CKError.Code(rawValue: error.code.rawValue) ?? .internalError, userInfo: info)
    }
  }

  extension ResultRecord {
    /// The record as one of CloudKit; nil if CloudKit cannot have one of its values.
    fileprivate var ckRecord: CKRecord? {
      try? DraftRecord(self).ckRecord(includingAllFields: true)
    }
  }
#endif
