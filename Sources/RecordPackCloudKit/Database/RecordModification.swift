#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import RecordModel

  /// Saves and deletions of records, which are sent in requests that CloudKit takes.
  struct RecordModification {
    /// Returns the record that CloudKit has saved, or its error.
    typealias Reader =
      (Result<CKRecord, any Error>, DraftRecord?) -> Result<ResultRecord, any Error>

    private let database: CKDatabase
    private let drafts: [RecordID: DraftRecord]
    private let savePolicy: CKModifyRecordsOperation.RecordSavePolicy
    private let atomically: Bool
    private var requestCount = 0
    /// The record or the error for each record to save.
    private(set) var saveResults: [RecordID: Result<ResultRecord, any Error>] = [:]
    /// The result of each deletion.
    private(set) var deleteResults: [RecordID: Result<Void, any Error>] = [:]

    init(
      of database: CKDatabase, _ drafts: [DraftRecord], _ savePolicy: RecordSavePolicy,
      atomically: Bool
    ) {
      self.database = database
      self.drafts = Dictionary(
        drafts.map { ($0.recordID, $0) }, uniquingKeysWith: { first, _ in first })
      self.savePolicy = .init(savePolicy)
      self.atomically = atomically
    }

    /// Sends all changes, and again the deletions that were refused because of references, as long as
    /// some of them succeed: the records that referred to them may have been deleted in a later
    /// request.
    ///
    /// - Throws: The error of the first request.
    mutating func send(_ changes: [RecordChange], reading reader: Reader) async throws {
      try await sendOnce(changes, reader)
      var blocked = blockedDeletions
      while requestCount > 1, !atomically, !blocked.isEmpty {
        let count = blocked.count
        try? await sendOnce(blocked.map { .delete(try CKRecord.ID(checking: $0)) }, reader)
        blocked = blockedDeletions
        if blocked.count >= count { return }
      }
    }

    private mutating func sendOnce(_ changes: [RecordChange], _ reader: Reader) async throws {
      var batches = RequestBatches(changes) { [atomically] in
        $0.groupKey(atomically: atomically)
      }
      try await batches.send { changes in
        requestCount += 1
        let results = try await database.modifyRecords(
          saving: changes.compactMap(\.saved), deleting: changes.compactMap(\.deleted),
          savePolicy: savePolicy, atomically: atomically)
        for (ckID, saved) in results.saveResults {
          let draft = drafts[RecordID(ckID)]
          saveResults[RecordID(ckID)] = reader(saved, draft).map { record in
            draft.map(record.completed) ?? record
          }
        }
        for (id, deleted) in results.deleteResults {
          deleteResults[RecordID(id)] = deleted.mapError { CloudError.converting($0) }
        }
      } orFail: { changes, error in
        for change in changes {
          switch change {
          case .save(let record): saveResults[RecordID(record.recordID)] = .failure(error)
          case .delete(let id): deleteResults[RecordID(id)] = .failure(error)
          }
        }
      }
    }

    /// The records that were not deleted because others refer to them.
    private var blockedDeletions: [RecordID] {
      deleteResults.compactMap { id, result in
        if case .failure(CloudError.referenceViolation) = result { id } else { nil }
      }.sorted()
    }
  }

  extension CKModifyRecordsOperation.RecordSavePolicy {
    fileprivate init(_ savePolicy: RecordSavePolicy) {
      switch savePolicy {
      case .ifServerRecordUnchanged: self = .ifServerRecordUnchanged
      case .changedKeys: self = .changedKeys
      case .allKeys: self = .allKeys
      }
    }
  }
#endif
