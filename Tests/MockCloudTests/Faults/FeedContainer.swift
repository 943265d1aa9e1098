import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Synchronization

/// A small container with a change feed and queries by type, in pages of two, and a log of what it
/// was asked.
final class FeedContainer: CallHandlingContainer {
  let containerIdentifier: String? = "iCloud.test"
  private let state = Mutex(State())
  private let pageSize = 2

  private struct State {
    var records: [RecordID: (record: ResultRecord, change: Int)] = [:]
    var deletions: [RecordID: Int] = [:]
    var lastChange = 0
    var calls: [CloudCall] = []
  }

  /// The calls that have reached the server.
  var calls: [CloudCall] { state.withLock { $0.calls } }
  var names: [String] { state.withLock { $0.records.keys.map(\.recordName).sorted() } }

  func save(_ names: String...) { for name in names { save(name, text: "text") } }

  func save(_ name: String, text: String) {
    state.withLock { save(note(name, in: notes, text), &$0) }
  }

  func delete(_ name: String) { state.withLock { delete(id(name), &$0) } }

  private func save(_ draft: DraftRecord, _ state: inout State) {
    state.lastChange += 1
    state.deletions[draft.recordID] = nil
    var systemFields = draft.systemFields
    systemFields.recordChangeTag = String(state.lastChange, radix: 36)
    state.records[draft.recordID] = (
      ResultRecord(systemFields: systemFields, fields: draft.fields), state.lastChange
    )
  }

  private func delete(_ recordID: RecordID, _ state: inout State) {
    guard state.records.removeValue(forKey: recordID) != nil else { return }
    state.lastChange += 1
    state.deletions[recordID] = state.lastChange
  }

  func accountChanges() -> AsyncStream<AccountStatus> { AsyncStream { $0.finish() } }

  func handle(_ call: CloudCall) async throws -> CloudResponse {
    try state.withLock { state in
      state.calls.append(call)
      switch call.request {
      case .records(let ids, _):
        return CloudResponse(
          ids.map { id in
            .init(
              .record(id),
              state.records[id].map { .success(.record($0.record)) }
                ?? .failure(CloudError(.unknownItem)))
          })
      case .modifyRecords(let drafts, let ids, _, _):
        for draft in drafts { save(draft, &state) }
        for id in ids { delete(id, &state) }
        return CloudResponse(
          drafts.compactMap { draft in
            state.records[draft.recordID].map { .init(.record(draft.recordID), .record($0.record)) }
          }, deletions: ids.map { .init(.record($0)) })
      case .query(let query, _, _, _): return page(of: query.recordType, from: 0, state)
      case .continueQuery(let cursor, _, _):
        let parts = try text(cursor.data).split(separator: " ")
        guard parts.count == 2, let start = Int(parts[1]) else {
          throw CloudError(.invalidArguments, "not a cursor of this server")
        }
        return page(of: String(parts[0]), from: start, state)
      case .databaseChanges(let token, _):
        let changed = state.lastChange > (try change(token))
        return CloudResponse(
          changed ? [.init(.zone(notes))] : [], position: self.token(state.lastChange))
      case .recordZoneChanges(_, let token, _, _): return changes(after: try change(token), state)
      case .recordZones(let ids):
        return CloudResponse(ids.map { .init(.zone($0), .zone(RecordZone(zoneID: $0))) })
      case .allRecordZones:
        return CloudResponse([.init(.zone(notes), .zone(RecordZone(zoneID: notes)))])
      case .accountStatus: return CloudResponse(accountStatus: .available)
      case .userRecordID:
        return CloudResponse([.init(.record(UserRecord.recordID(named: "_feed")))])
      default: throw CloudError(.internalError, "not part of the test")
      }
    }
  }

  private func changes(after start: Int, _ state: State) -> CloudResponse {
    let all =
      state.records.map { ($0.value.change, $0.key) } + state.deletions.map { ($0.value, $0.key) }
    let page = all.filter { $0.0 > start }.sorted { $0.0 < $1.0 }.prefix(pageSize)
    var (results, deletions): ([CloudResponse.Entry], [CloudResponse.Entry]) = ([], [])
    for (_, id) in page {
      if let record = state.records[id]?.record {
        results.append(.init(.record(id), .record(record)))
      } else {
        deletions.append(.init(.record(id), .recordType("Note")))
      }
    }
    let last = page.last?.0 ?? start
    return CloudResponse(
      results, deletions: deletions, position: token(last),
      moreComing: all.contains { $0.0 > last })
  }

  private func page(of type: String, from start: Int, _ state: State) -> CloudResponse {
    let all = state.records.values.map(\.record).filter { $0.recordType == type }
      .sorted { $0.recordID < $1.recordID }.dropFirst(start)
    let page = all.prefix(pageSize)
    let cursor = all.count > pageSize ? Data("\(type) \(start + 2)".utf8) : nil
    return CloudResponse(
      page.map { .init(.record($0.recordID), .record($0)) }, position: cursor,
      moreComing: cursor != nil)
  }

  private func token(_ change: Int) -> Data { Data("\(change)".utf8) }

  private func change(_ token: ServerChangeToken?) throws -> Int {
    guard let token else { return 0 }
    guard let change = Int(try text(token.data)) else { throw CloudError(.changeTokenExpired) }
    return change
  }

  private func text(_ data: Data) throws -> String {
    guard let text = String(data: data, encoding: .utf8) else {
      throw CloudError(.invalidArguments, "not a token of this server")
    }
    return text
  }
}

/// Fetches all changes of the zone, page by page.
///
/// - Returns: the names of changed records, and with a - those of deleted ones, in the order in which
///   they came, page by page.
func changes(
  _ database: some CloudDatabase, since token: ServerChangeToken? = nil
) async throws -> (pages: [[String]], token: ServerChangeToken) {
  var pages: [[String]] = []
  var token = token
  while true {
    let page = try await database.recordZoneChanges(inZoneWith: notes, since: token)
    pages.append(
      page.modificationResultsByID.keys.map(\.recordName).sorted()
        + page.deletions.map { "-\($0.recordID.recordName)" })
    token = page.changeToken
    if !page.moreComing { return (pages, page.changeToken) }
  }
}
