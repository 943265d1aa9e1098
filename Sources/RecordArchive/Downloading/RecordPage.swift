import CloudInterface
import RecordModel

/// Records that the server has sent together.
struct RecordPage: Sendable {
  /// The records, by name.
  private(set) var records: [ResultRecord] = []
  /// The records that it did not send, by name.
  private(set) var failures: [(recordID: RecordID, error: CloudError)] = []
  /// The records that it does not have any more.
  let deleted: [RecordID]

  init(_ results: [(RecordID, Result<ResultRecord, any Error>)], deleted: [RecordID] = []) {
    self.deleted = deleted
    for (recordID, result) in results.sorted(by: { $0.0 < $1.0 }) {
      switch result {
      case .success(let record): records.append(record)
      case .failure(let error):
        failures.append((recordID, error as? CloudError ?? CloudError(.internalError, "\(error)")))
      }
    }
  }

  init(
    _ results: [RecordID: Result<RecordZoneChange.Modification, any Error>], _ deleted: [RecordID]
  ) {
    self.init(results.map { ($0.key, $0.value.map(\.record)) }, deleted: deleted)
  }

  /// All that the server has listed.
  var recordIDs: [RecordID] { records.map(\.recordID) + failures.map(\.recordID) }
}
