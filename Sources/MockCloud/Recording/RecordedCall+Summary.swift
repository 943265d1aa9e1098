import RecordModel
import RecordSchema

extension RecordedCall {
  /// The result in a few words, without values of records, identities of users, and links: what was
  /// returned, or the error.
  public var resultSummary: String {
    switch result {
    case nil: "not recorded"
    case .failure(let error): Self.name(of: error)
    case .success(let response): Self.summary(of: response)
    }
  }

  /// Whether the call, or an item of it, failed.
  public var hasFailed: Bool {
    switch result {
    case nil: false
    case .failure: true
    case .success(let response): !response.itemErrors.isEmpty
    }
  }

  private static func summary(of response: CloudResponse) -> String {
    let parts: [String]
    switch response {
    case .records(let results): parts = [count(results.count, "record", of: response)]
    case .query(let results, let cursor):
      parts = [count(results.count, "record", of: response), cursor == nil ? "" : "more coming"]
    case .modifyRecords(let saved, let deleted):
      parts = [saved.count, deleted.count].parts(of: response)
    case .modifyRecordZones(let saved, let deleted):
      parts = [saved.count, deleted.count].parts(of: response)
    case .modifySubscriptions(let saved, let deleted):
      parts = [saved.count, deleted.count].parts(of: response)
    case .databaseChanges(let zones, let deletions, _, let moreComing):
      parts = [
        "\(zones.count) changed", deletions.isEmpty ? "" : "\(deletions.count) deleted",
        moreComing ? "more coming" : "",
      ]
    case .recordZoneChanges(let results, let deletions, _, let moreComing):
      parts = [
        "\(results.count - response.itemErrors.count) changed",
        deletions.isEmpty ? "" : "\(deletions.count) deleted", moreComing ? "more coming" : "",
      ]
    case .allRecordZones(let zones): parts = [count(zones.count, "zone", of: response)]
    case .recordZones(let results): parts = [count(results.count, "zone", of: response)]
    case .allSubscriptions(let all): parts = [count(all.count, "subscription", of: response)]
    case .subscriptions(let results):
      parts = [count(results.count, "subscription", of: response)]
    case .shareParticipants(let results): parts = [count(results.count, "user", of: response)]
    case .shareMetadatas(let results): parts = [count(results.count, "share", of: response)]
    case .accept(let results): parts = [count(results.count, "share", of: response)]
    case .accountStatus(let status): parts = ["\(status)"]
    case .userRecordID(let id): parts = [id.recordName]
    }
    let all = parts + errors(of: response)
    let shown = all.filter { !$0.isEmpty }.joined(separator: ", ")
    return shown.isEmpty ? "nothing" : shown
  }

  private static func count(_ count: Int, _ noun: String, of response: CloudResponse) -> String {
    Phrase.count(count - response.itemErrors.count, noun)
  }

  /// The errors of items, by their number.
  private static func errors(of response: CloudResponse) -> [String] {
    var counts: [String: Int] = [:]
    for error in response.itemErrors { counts[name(of: error), default: 0] += 1 }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
  }

  private static func name(of error: any Error) -> String {
    if let error = error as? CloudError { return error.code.name }
    return (error as? RecordedError)?.type ?? "\(type(of: error))"
  }
}

extension [Int] {
  /// The numbers of items that were saved and deleted.
  fileprivate func parts(of response: CloudResponse) -> [String] {
    let failed = response.failedCounts
    return zip(zip(self, failed), ["saved", "deleted"]).compactMap { counts, verb in
      counts.0 > counts.1 ? "\(counts.0 - counts.1) \(verb)" : nil
    }
  }
}

extension CloudResponse {
  /// The errors of single items.
  fileprivate var itemErrors: [any Error] {
    func errors<Item>(_ results: some Sequence<Result<Item, any Error>>) -> [any Error] {
      results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
    }
    switch self {
    case .records(let results): return errors(results.values)
    case .query(let results, _): return errors(results.map(\.1))
    case .modifyRecords(let saved, let deleted):
      return errors(saved.values) + errors(deleted.values)
    case .recordZoneChanges(let results, _, _, _): return errors(results.values)
    case .recordZones(let results): return errors(results.values)
    case .modifyRecordZones(let saved, let deleted):
      return errors(saved.values) + errors(deleted.values)
    case .subscriptions(let results): return errors(results.values)
    case .modifySubscriptions(let saved, let deleted):
      return errors(saved.values) + errors(deleted.values)
    case .shareParticipants(let results): return errors(results.values)
    case .shareMetadatas(let results): return errors(results.values)
    case .accept(let results): return errors(results.values)
    case .databaseChanges, .allRecordZones, .allSubscriptions, .accountStatus, .userRecordID:
      return []
    }
  }

  /// The numbers of items that could not be saved, and not be deleted.
  fileprivate var failedCounts: [Int] {
    func count<Key, Item>(_ results: [Key: Result<Item, any Error>]) -> Int {
      results.values.count { if case .failure = $0 { true } else { false } }
    }
    switch self {
    case .modifyRecords(let saved, let deleted): return [count(saved), count(deleted)]
    case .modifyRecordZones(let saved, let deleted): return [count(saved), count(deleted)]
    case .modifySubscriptions(let saved, let deleted): return [count(saved), count(deleted)]
    default: return [0, 0]
    }
  }
}
