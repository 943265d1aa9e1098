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
      var others: [String] = []
      for (item, itemError) in error.partialErrorsByItemID ?? [:] {
        let itemError = CloudError(item: itemError, files)
        if let recordID = item as? CKRecord.ID {
          partialErrors[RecordID(recordID)] = itemError
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
#endif
