#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension CloudError {
    /// Creates an error from one of CloudKit, with the records of a conflict, the errors of items and
    /// the delay before a retry.
    ///
    /// A code that this version does not know becomes `internalError`, with its number in the
    /// message. Errors of items that are not records are in the message.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - files: The folder that the files of the records' assets are copied to.
    public init(_ error: CKError, keepingFilesIn files: AssetFiles = AssetFiles()) {
      self.init(error, clientRecord: nil, files)
    }

    /// - Parameter clientRecord: The draft that was saved; nil to make one of CloudKit's record.
    private init(_ error: CKError, clientRecord: DraftRecord?, _ files: AssetFiles) {
      let code = Code(rawValue: error.errorCode)
      self.init(
        code ?? .internalError, Self.message(of: error, isKnown: code != nil),
        conflict: Conflict(error, clientRecord, files), retryAfter: error.retryAfterSeconds)
      userDidResetEncryptedData = error.userInfo[CKErrorUserDidResetEncryptedDataKey] != nil
      var others: [String] = []
      for (item, itemError) in error.partialErrorsByItemID ?? [:] {
        let itemError = CloudError(item: itemError, files)
        if let recordID = item as? CKRecord.ID {
          partialErrorsByItemID[RecordID(recordID)] = itemError
        } else {
          let name = (item as? CKRecordZone.ID).map { "zone \(ZoneID($0))" } ?? "\(item)"
          others.append("\(name): \(itemError)")
        }
      }
      if !others.isEmpty {
        message = ([message] + others.sorted()).filter { !$0.isEmpty }.joined(separator: "; ")
      }
    }

    /// The error of an item; `internalError` with its text if it is not one of CloudKit.
    private init(item error: any Error, _ files: AssetFiles) {
      if let error = error as? CKError {
        self.init(error, keepingFilesIn: files)
      } else {
        self.init(.internalError, error.localizedDescription)
      }
    }

    /// Returns the error of RecordPack for one of CloudKit, and any other error as it is.
    static func converting(
      _ error: any Error, clientRecord: DraftRecord? = nil,
      keepingFilesIn files: AssetFiles = AssetFiles()
    ) -> any Error {
      (error as? CKError).map { CloudError($0, clientRecord: clientRecord, files) } ?? error
    }

    private static func message(of error: CKError, isKnown: Bool) -> String {
      let text = error.userInfo[serverDescriptionKey] as? String ?? error.localizedDescription
      return isKnown ? text : "CKError \(error.errorCode): \(text)"
    }

    /// The key of the server's own message, which errors of real containers have, and the framework
    /// does not publish.
    static let serverDescriptionKey = "ServerErrorDescription"

    /// Returns the error of a value that CloudKit's framework has and RecordPack does not, or the other
    /// way round.
    ///
    /// - Parameters:
    ///   - found: The value in words; never the value of a field.
    ///   - expected: The expected value in words.
    ///   - recordID: The record with the value; nil for a value outside of a record.
    ///   - fieldName: The name of the field; nil if the error is about the whole record.
    static func unconvertible(
      _ found: String, expected: String, recordID: RecordID? = nil, fieldName: String? = nil
    ) -> CloudError {
      let place = [recordID.map { "record \($0)" }, fieldName.map { "field '\($0)'" }]
        .compactMap(\.self).joined(separator: ", ")
      return CloudError(
        .invalidArguments,
        (place.isEmpty ? "" : place + ": ") + "found \(found), expected \(expected)")
    }
  }

  extension CloudError.Conflict {
    fileprivate init?(_ error: CKError, _ clientRecord: DraftRecord?, _ files: AssetFiles) {
      guard error.errorCode == CKError.Code.serverRecordChanged.rawValue else { return nil }
      func record(_ record: CKRecord?) -> ResultRecord? {
        record.flatMap { try? ResultRecord($0, keepingFilesIn: files) }
      }
      self.init(
        serverRecord: record(error.serverRecord),
        clientRecord: clientRecord ?? record(error.clientRecord).map { DraftRecord($0) },
        ancestorRecord: record(error.ancestorRecord))
    }
  }

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
      info[CKErrorRetryAfterKey] = error.retryAfterSeconds
      if error.userDidResetEncryptedData { info[CKErrorUserDidResetEncryptedDataKey] = true }
      info[CKRecordChangedErrorServerRecordKey] = error.conflict?.serverRecord?.ckRecord
      info[CKRecordChangedErrorAncestorRecordKey] = error.conflict?.ancestorRecord?.ckRecord
      info[CKRecordChangedErrorClientRecordKey] = error.conflict?.clientRecord.flatMap {
        try? $0.ckRecord(includingAllFields: true)
      }
      var items: [AnyHashable: any Error] = [:]
      for (id, error) in error.partialErrorsByItemID {
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
