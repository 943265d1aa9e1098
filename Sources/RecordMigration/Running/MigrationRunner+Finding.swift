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
  /// migration.
  ///
  /// - Parameter stage: The index of the migration. The migrations before it run too.
  /// - Throws: ``MigrationError`` with the code `collision` if another migration follows, and two
  ///   of the records have one ID.
  package func identityChanges(
    of record: EditableRecord, after stage: Int
  ) throws -> [IdentityChange] {
    record.begin()
    var changes: [IdentityChange] = []
    for begin in try run(record, stages: 0..<stage) {
      let origin = begin.recordID
      let results = try run(begin, stages: stage..<stage + 1)
      let made = Set(made.map(ObjectIdentifier.init))
      // If a step in Swift returns several records, the first one counts.
      let first = results.first.flatMap { made.contains(ObjectIdentifier($0)) ? nil : $0 }
      if first == nil { changes.append(IdentityChange(before: origin, after: nil, origin: origin)) }
      var seen: Set<RecordID> = []
      for result in results {
        let isMade = made.contains(ObjectIdentifier(result))
        let before = isMade ? result.sourceID : result === first ? origin : nil
        let change = IdentityChange(before: before, after: result.recordID, origin: origin)
        changes.append(change)
        guard stage + 1 < migrator.stages.count, !seen.insert(result.recordID).inserted else {
          continue
        }
        throw MigrationError.collision(
          result.recordID, "'\(origin)'", "'\(origin)'", in: migrator.migrations[stage].to)
      }
    }
    return changes
  }
}

/// The ID of a record before and after a migration.
package struct IdentityChange: Sendable {
  /// The ID that references to the record have before: for a record that a step makes, the ID it
  /// was made with. `nil` for a further result of a step in Swift.
  package var before: RecordID?
  /// `nil` if the record was left behind.
  package var after: RecordID?
  /// The ID before of the record, or of the record that it was made of.
  package var origin: RecordID

  /// Whether no record, or another one, had the ID before.
  package var isNew: Bool { after != nil && after != origin }
}
