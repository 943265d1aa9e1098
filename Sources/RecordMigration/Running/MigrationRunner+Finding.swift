import RecordCoding
import RecordModel

/// Finds the facts about other records that one migration needs. The actual run reports failures, so this
/// runner makes a dry run. Its records must not have been changed since they were loaded.
extension MigrationRunner {
  /// Returns the values of a record that the look-ups of a migration need.
  ///
  /// - Parameter stage: The index of the migration. The migrations before it run.
  package func lookUpValues(
    of record: EditableRecord, at stage: Int
  ) throws -> [LookUpValues.Entry] {
    record.begin()
    return try run(record, stages: 0..<stage).flatMap { result in
      migrator.stages[stage].lookUps
        .filter { $0.recordType.sameScalars(as: result.recordType) }
        .map { ($0, result.recordID, result.database, result.field(named: $0.field)) }
    }
  }

  /// Returns the IDs of a record, and of the records that steps make of it, before and after a
  /// migration, if they differ. A record that the migration makes has the ID it was made with
  /// before.
  ///
  /// If steps make records, also returns the IDs that do not change and that such a record may have:
  /// a reference to either of two records with one ID would be ambiguous.
  ///
  /// - Parameter stage: The index of the migration. The migrations before it run too.
  package func identityChanges(
    of record: EditableRecord, after stage: Int
  ) throws -> [(before: RecordID, after: RecordID)] {
    record.begin()
    var changes: [(before: RecordID, after: RecordID)] = []
    for begin in try run(record, stages: 0..<stage) {
      let before = begin.recordID
      let results = try run(begin, stages: stage..<stage + 1)
      let made = Set(made.map(ObjectIdentifier.init))
      // If a step in Swift returns several records, the first one counts.
      if let first = results.first, !made.contains(ObjectIdentifier(first)) {
        changes.append((before, first.recordID))
      } else {
        changes.append((before, before))
      }
      for result in results where made.contains(ObjectIdentifier(result)) {
        changes.append((result.sourceID, result.recordID))
      }
    }
    let makesRecords = migrator.stages[stage].makesRecords
    return changes.filter {
      $0.before != $0.after || makesRecords && $0.before.recordName.utf8.contains(UInt8(ascii: "."))
    }
  }
}
