#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import Foundation
  import RecordModel

  extension CloudKitDatabase {
    /// Fetches records.
    public func records(
      for ids: [RecordID], desiredKeys: [String]?
    ) async throws -> [RecordID: Result<ResultRecord, any Error>] {
      var results: [RecordID: Result<ResultRecord, any Error>] = [:]
      var valid: [CKRecord.ID] = []
      for id in Set(ids).sorted() {
        do {
          valid.append(try CKRecord.ID(checking: id))
        } catch {
          results[id] = .failure(error)
        }
      }
      var batches = RequestBatches(valid) { $0 }
      try await batches.send { ids in
        let found = try await database.records(for: ids, desiredKeys: desiredKeys)
        for (id, record) in found { results[RecordID(id)] = result(record) }
      } orFail: { _, error in
        throw error
      }
      return results
    }

    /// Returns the file with the content of an asset of a fetched record, in the container's
    /// ``CloudKitContainer/assetFiles``.
    public func fileURL(for asset: Asset) async throws -> URL {
      guard let url = container.assetFiles.fileURL(for: asset) else {
        throw CloudError(
          .assetNotAvailable, "the asset was not downloaded, or its file was removed")
      }
      return url
    }

    /// Saves and deletes records.
    ///
    /// Parents are saved before their children, and deletions come last. If CloudKit rejects a
    /// request after others have succeeded, the error is that of each item that was not saved or
    /// deleted. Records that could not be deleted because of references are tried again after the
    /// deletions of later requests.
    ///
    /// A new share is saved with its root in one request. Participants that a share does not have yet
    /// are looked up first.
    ///
    /// - Throws: `CloudError` with `invalidArguments` for a draft that CloudKit cannot save; nothing
    ///   is saved then.
    public func modifyRecords(
      saving recordsToSave: [DraftRecord], deleting recordIDsToDelete: [RecordID],
      savePolicy: RecordSavePolicy, atomically: Bool
    ) async throws -> (
      saveResults: [RecordID: Result<ResultRecord, any Error>],
      deleteResults: [RecordID: Result<Void, any Error>]
    ) {
      let converter = DraftConverter(
        recordsToSave, includesAllFields: savePolicy == .allKeys, files: container.assetFiles,
        participants: try await participants(in: recordsToSave))
      let changes =
        try converter.records().map { RecordChange.save($0) }
        + recordIDsToDelete.map { RecordChange.delete(try CKRecord.ID(checking: $0)) }
      var modification = RecordModification(
        of: database, recordsToSave, savePolicy, atomically: atomically)
      try await modification.send(changes) { result($0, clientRecord: $1) }
      return (modification.saveResults, modification.deleteResults)
    }

    /// Returns the drafts as CloudKit's records, which send what the drafts have changed.
    func ckRecords(of drafts: [DraftRecord]) async throws -> [CKRecord] {
      try DraftConverter(
        drafts, includesAllFields: false, files: container.assetFiles,
        participants: try await participants(in: drafts)
      ).records()
    }

    /// Fetches the participants that shares are to get. A draft without a base may name some that its
    /// share has already, so that it is no error yet if one is not found.
    private func participants(in drafts: [DraftRecord]) async throws -> InvitedParticipants {
      var participants = InvitedParticipants()
      for draft in drafts {
        let invited = Set(draft.invitedUsers)
        guard !invited.isEmpty else { continue }
        participants[draft.recordID] = try await container.ckParticipants(for: Array(invited))
      }
      return participants
    }
  }

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

    /// Sends all changes. Repeats the deletions that CloudKit rejected because of references, as
    /// long as some of them succeed: the records that referred to them may have been deleted in a
    /// later request.
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

  /// Sends items in requests that CloudKit takes.
  ///
  /// - Source: Apple's documentation of `CKError.Code.limitExceeded`: a request has at most 400
  ///   items; divide a rejected request in half.
  struct RequestBatches<Item: Sendable> {
    /// The maximum number of items in a request.
    private let maxCount: Int
    /// Whether all items are one group, which is not divided.
    private let isOneGroup: Bool
    /// The requests that are still to be sent, each a list of groups.
    private var waiting: [[Group]] = []

    /// Items that stay in one request, with their places in the order of all items.
    private typealias Group = [(place: Int, item: Item)]

    /// Divides items into requests.
    ///
    /// - Parameters:
    ///   - items: The items, in the order in which they are sent.
    ///   - maxCount: The maximum number of items in a request.
    ///   - key: Returns the key of an item. Items with the same key stay in one request.
    init(_ items: [Item], maxCount: Int = 400, groupedBy key: (Item) -> some Hashable) {
      self.maxCount = maxCount
      let groups = Dictionary(grouping: zip(0..., items).map { (place: $0, item: $1) }) {
        key($0.item)
      }
      isOneGroup = groups.count == 1
      var batch: [Group] = []
      var count = 0
      for group in groups.values.sorted(by: { $0[0].place < $1[0].place }) {
        if count + group.count > maxCount, !batch.isEmpty {
          waiting.append(batch)
          (batch, count) = ([], 0)
        }
        batch.append(group)
        count += group.count
      }
      if !batch.isEmpty { waiting.append(batch) }
    }

    private static func items(of groups: [Group]) -> [Item] {
      groups.flatMap(\.self).sorted { $0.place < $1.place }.map(\.item)
    }

    /// Sends the requests in order.
    ///
    /// - Parameters:
    ///   - isolation: The actor of the caller.
    ///   - send: Sends one request.
    ///   - fail: Called if a request fails after others have succeeded, and if one of several
    ///     groups is too large, with the items that were not sent, and the error.
    /// - Throws: The error of the first request.
    mutating func send(
      isolation: isolated (any Actor)? = #isolation, _ send: ([Item]) async throws -> Void,
      orFail fail: ([Item], any Error) throws -> Void
    ) async throws {
      var hasSent = false
      while let batch = waiting.first {
        waiting.removeFirst()
        do {
          try await send(Self.items(of: batch))
          hasSent = true
        } catch CKError.limitExceeded where batch.count > 1 {
          let middle = batch.count / 2
          waiting.insert(contentsOf: [Array(batch[..<middle]), Array(batch[middle...])], at: 0)
        } catch let error as CKError where error.code == .limitExceeded && !isOneGroup {
          // The others are not too large.
          try fail(Self.items(of: batch), CloudError(error))
        } catch {
          let error = CloudError.converting(error)
          guard hasSent else { throw error }
          try fail(Self.items(of: batch + waiting.flatMap(\.self)), error)
          return
        }
      }
    }
  }

  /// An item of a request that changes records.
  enum RecordChange {
    case save(CKRecord)
    case delete(CKRecord.ID)

    var saved: CKRecord? { if case .save(let record) = self { record } else { nil } }

    var deleted: CKRecord.ID? { if case .delete(let id) = self { id } else { nil } }

    private var zoneID: CKRecordZone.ID {
      switch self {
      case .save(let record): record.recordID.zoneID
      case .delete(let id): id.zoneID
      }
    }

    /// The zone or record that the changes of a group have in common.
    enum GroupKey: Hashable {
      case zone(ZoneID)
      /// The same record, or a share and its root; the identifier is that of the share.
      case record(RecordID)
    }

    /// Returns the key of the changes that are sent in one request with this one: the zone if the
    /// changes of a zone are atomic, and else the record, or the share of a new share and its root. A
    /// default zone cannot save atomically.
    ///
    /// CloudKit rejects a request that saves and deletes the same record; in two, it would do both.
    func groupKey(atomically: Bool) -> GroupKey {
      let zoneID = ZoneID(zoneID)
      if atomically && !zoneID.isDefault { return .zone(zoneID) }
      switch self {
      case .delete(let id): return .record(RecordID(id))
      case .save(let record): return .record(RecordID(record.share?.recordID ?? record.recordID))
      }
    }
  }

  extension [DraftRecord] {
    /// Returns the drafts with each parent before its children, and else in their order.
    func parentsFirst() -> [DraftRecord] {
      let places = Dictionary(
        enumerated().map { ($1.recordID, $0) }, uniquingKeysWith: { first, _ in first })
      var result: [DraftRecord] = []
      var isVisited = [Bool](repeating: false, count: count)
      for place in indices {
        var chain: [Int] = []
        var next: Int? = place
        // Ends at a record that is already there, or at one of the chain if the parents go round.
        while let current = next, !isVisited[current] {
          isVisited[current] = true
          chain.append(current)
          next = self[current].parent.flatMap { places[$0.recordID] }
        }
        result += chain.reversed().map { self[$0] }
      }
      return result
    }
  }
#endif
