import RecordArchive
import RecordModel

/// The records whose types a policy drops, as hashes. References to them go, too.
struct DroppedRecords: Sendable {
  private var records: Set<Int> = []

  init() {}

  /// Reads the whole source, even if a run reads a part of it.
  init(of source: ArchiveSource, _ policy: AnonymisationPolicy) throws {
    guard !policy.droppedTypes.isEmpty else { return }
    try source.forEachRecordID { recordID, type, database in
      if policy.drops(type) { records.insert(RecordLocation(database, recordID).hashValue) }
    }
  }

  var isEmpty: Bool { records.isEmpty }

  /// Whether the record that a reference is to goes.
  func contains(_ reference: Reference, in database: DatabaseScope) -> Bool {
    !records.isEmpty
      && records.contains(RecordLocation(database, reference.recordID).hashValue)
  }

  /// Returns a value without the elements of a list that are references to these records.
  func removed(from value: RecordValue, in database: DatabaseScope) -> RecordValue {
    guard !records.isEmpty, case .referenceList(let references) = value else { return value }
    return .referenceList(references.filter { !contains($0, in: database) })
  }
}
