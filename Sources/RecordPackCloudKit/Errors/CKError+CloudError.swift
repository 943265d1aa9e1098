#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension CKError {
    /// Creates an error of CloudKit, for code that expects one.
    ///
    /// Records of a conflict that CloudKit cannot have are left out.
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
      if !error.partialErrors.isEmpty {
        info[CKPartialErrorsByItemIDKey] = Dictionary(
          uniqueKeysWithValues: error.partialErrors.map { id, error in
            (CKRecord.ID(id) as AnyHashable, CKError(error) as any Error)
          })
      }
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
