import RecordArchive
import RecordModel
import RecordSchema

extension ArchiveSource {
  /// The error for a record that does not exist, with similar names.
  func noRecord(
    named name: String, in path: String, _ filter: RecordFilter
  ) throws -> String {
    var near = NearNames(name)
    try forEachRecordID(filter) { recordID, _, _ in near.add(recordID.recordName) }
    return "there is no record '\(name)' in '\(path)'\(near.hint)"
  }
}
