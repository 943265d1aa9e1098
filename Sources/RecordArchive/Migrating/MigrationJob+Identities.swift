import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel

extension MigrationJob {
  /// Finds the new identities of renamed or moved records, in bundles that are migrated together: a
  /// reference in one bundle may refer to a record of another.
  ///
  /// Each migration that changes identities takes one pass over the affected records, because it
  /// may read references that an earlier one has updated. Its changes apply to all bundles with
  /// that migration. All bundles end in one version by the shortest chain, so that a migration has
  /// the same distance from the end in each of them.
  ///
  /// - Throws: `MigrationError` if one record would get two identities.
  static func findIdentities(_ jobs: inout [MigrationJob]) throws {
    let longest = jobs.map(\.migrator.stages.count).max() ?? 0
    for distance in stride(from: longest, to: 0, by: -1) {
      var groups: [[String]: [Int]] = [:]
      for (index, job) in jobs.enumerated() {
        let stage = job.migrator.stages.count - distance
        guard stage >= 0, job.migrator.stages[stage].changesIdentity else { continue }
        let migration = job.migrator.migrations[stage]
        groups[[migration.from, migration.to], default: []].append(index)
      }
      for group in groups.values {
        var map = RecordIDMap()
        for index in group {
          try jobs[index].noteIdentities(jobs[index].migrator.stages.count - distance, in: &map)
        }
        guard !map.isEmpty else { continue }
        for index in group {
          let stage = jobs[index].migrator.stages.count - distance
          jobs[index].stage.environment.identities[stage] = map
        }
      }
    }
  }

  /// Notes the records that one migration renames or moves, including those outside the filter, as
  /// references to them can pass it.
  private func noteIdentities(_ number: Int, in map: inout RecordIDMap) throws {
    let wanted = Set(
      try reader.sections().map(\.key).filter {
        self.migrator.outline($0.recordType, in: $0.zoneID, of: $0.database)
          .identityStages.contains(number)
      })
    guard !wanted.isEmpty else { return }
    try reader.mapBatches(
      of: LineSelection(sections: wanted), threads: threads,
      transform: { [stage] in try stage.identityChanges(of: $0, in: number) },
      consume: {
        try pulse()
        for (old, new, database) in $0 {
          if let other = map.newIdentity(of: old, in: database), other != new {
            throw MigrationError.invalid(
              "record '\(old)' of the \(database) database would become '\(new)' in one bundle and "
                + "'\(other)' in another: references to it would be ambiguous. "
                + "Nothing was written")
          }
          map.note(old, became: new, in: database)
        }
      })
  }
}

extension MigrationStage {
  /// Returns the old and new identities of records in a batch that one migration renames or moves.
  fileprivate func identityChanges(
    of batch: LineBatch, in number: Int
  ) throws -> [(before: RecordID, after: RecordID, DatabaseScope)] {
    let search = RecordIDChangeFinder(migrator, after: number, environment)
    let record = EditableRecord()
    var found: [(RecordID, RecordID, DatabaseScope)] = []
    try batch.forEach(
      loading: record,
      loaded: {
        guard let change = try search.change(of: record) else { return }
        found.append((change.before, change.after, record.database))
      }, item: { _, _ in })
    return found
  }
}
