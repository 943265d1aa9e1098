import RecordModel
import Synchronization

/// The last two versions of each record, for `FetchOrder.olderVersionLast` only.
final class RecordVersions: Sendable {
  private struct Versions {
    var before: ResultRecord?
    var last: ResultRecord
  }

  private let versions = Mutex<[RecordID: Versions]>([:])

  /// Remembers a version of a record, and returns the version before it.
  func remember(_ record: ResultRecord) -> ResultRecord? {
    versions.withLock { versions in
      guard let known = versions[record.recordID] else {
        versions[record.recordID] = Versions(last: record)
        return nil
      }
      guard known.last.recordChangeTag != record.recordChangeTag else { return known.before }
      versions[record.recordID] = Versions(before: known.last, last: record)
      return known.last
    }
  }

  /// Forgets all versions.
  func removeAll() { versions.withLock { $0 = [:] } }
}
