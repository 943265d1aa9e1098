import CloudInterface
import MockCloud
import RecordCoding
import RecordModel

/// `records/modify`: saves and deletes records. The response has a record or an error for each
/// operation, in their order.
struct RecordsModify: Endpoint {
  static let path = "records/modify"

  private let operations: [RecordOperation]
  private let atomic: Bool?
  private let desiredKeys: [String]?
  private let numbersAsStrings: Bool

  init(_ body: inout RequestBody) throws {
    body.zoneID = try body.zone() ?? .default
    atomic = try body.value("atomic")
    desiredKeys = try body.value("desiredKeys")
    numbersAsStrings = try body.value("numbersAsStrings") ?? false
    operations = try body.objects("operations") { try RecordOperation(&$0) }
  }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    var saves: [SaveRequest] = []
    var deletions: [RecordDeletion] = []
    for operation in operations {
      switch operation.change {
      case .save(let save): saves.append(save)
      case .delete(let deletion): deletions.append(deletion)
      }
    }
    saves = try await ServedAssets(call: call).resolved(saves)
    let roots = try await addRoots(to: &saves, call.database)
    // Where the client does not say, custom zones are atomic; the default zone cannot be.
    let zoneIDs = saves.map(\.draft.recordID.zoneID) + deletions.map(\.recordID.zoneID)
    let isAtomic = atomic ?? !zoneIDs.contains(where: \.isDefault)
    let results = try await call.database.modifyRecords(
      saves, deleting: deletions, atomically: isAtomic, rules: try call.rules)
    let writer = ServedRecords(call, numbersAsStrings: numbersAsStrings)
    let items = try operations.map { operation in
      switch operation.change {
      case .delete:
        switch results.deleteResults[operation.recordID] {
        case .success?: return try writer.deletion(operation.recordID)
        case .failure(let error)?:
          return ServedRecords.error(error, named: operation.recordID.recordName)
        case nil: return try writer.result(nil, named: operation.recordID.recordName)
        }
      case .save:
        var result = results.saveResults[operation.recordID]
        // The client asked for the share alone: what its record was refused for is the reason.
        if case .failure = result, let root = roots[operation.recordID],
          case .failure(let error)? = results.saveResults[root],
          (error as? CloudError)?.code != .batchRequestFailed
        {
          result = .failure(error)
        }
        return try writer.result(
          result.map { $0.map { $0.keeping(fields: desiredKeys) } },
          named: operation.recordID.recordName)
      }
    }
    return .object([.init("records", .array(items))])
  }

  /// Makes the records that new shares are of (`forRecord`) refer to their shares: in the operations
  /// that save them, or in ones of their own.
  ///
  /// - Returns: the records that were added, by their shares.
  private func addRoots(
    to saves: inout [SaveRequest], _ database: MockDatabase
  ) async throws -> [RecordID: RecordID] {
    var added: [RecordID: RecordID] = [:]
    let missing = operations.compactMap(\.root?.recordID)
      .filter { root in !saves.contains { $0.draft.recordID == root } }
    let stored =
      missing.isEmpty ? [:] : try await database.records(for: missing, desiredKeys: [])
    for operation in operations {
      guard var root = operation.root else { continue }
      let share = Reference(recordID: operation.recordID)
      if let index = saves.firstIndex(where: { $0.draft.recordID == root.recordID }) {
        saves[index].draft.share = share
      } else if let record = try? stored[root.recordID]?.get() {
        root.recordType = record.recordType
        root.recordChangeTag = root.recordChangeTag ?? record.recordChangeTag
        root.share = share
        saves.append(SaveRequest(DraftRecord(systemFields: root), .ifServerRecordUnchanged))
        added[operation.recordID] = root.recordID
      }
    }
    return added
  }
}
