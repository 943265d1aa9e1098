import RecordCoding
import RecordModel

extension MigrationRunner {
  /// Counts the references of the results to records that are left behind.
  func countDangling(_ database: DatabaseScope) {
    for result in results where dangling?.mayConcern(result) == true {
      counted.danglingReferences += result.countReferences {
        dangling?.newIdentity(of: $0, in: database) != nil
      }
    }
  }

  /// Whether a stage rewrites a reference that the record has, or had when it was loaded.
  func hasNewTargets(_ record: EditableRecord, _ number: Int) -> Bool {
    guard identities[number]?.mayConcern(record) == true else { return false }
    let database = record.database
    return record.hasReference(
      where: { identities[number]?.newIdentity(of: $0, in: database) != nil })
  }

  /// Rewrites the references to records that a stage renames or moves, and counts them.
  func rewriteReferences(of record: EditableRecord, after number: Int) {
    guard identities[number]?.mayConcern(record) == true else { return }
    let database = record.database
    counted.rewrittenReferences += record.mapReferences {
      identities[number]?.newIdentity(of: $0, in: database)
    }
  }
}
