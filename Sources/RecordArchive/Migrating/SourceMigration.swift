import Foundation
import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema

/// The migration of one source.
struct SourceMigration {
  let reader: ArchiveReader
  var stage: MigrationPass
  let filter: RecordFilter
  /// Called during work that reports no progress. Throws to cancel it.
  let checkCancellation: () throws -> Void
  /// The container's info after the migration.
  let info: ContainerInfo
  /// The record sections that pass the filter, in the order of a bundle.
  let sections: [RecordSection]
  let threads: Int
  /// The records left behind so far, shared by bundles that are migrated together.
  private let leftBehind: SkippedRecords

  var migrator: Migrator { stage.migrator }

  /// - Throws: `MigrationError` if the source does not have the migration's source schema.
  init(
    _ reader: ArchiveReader, _ migrator: Migrator, _ archiver: Archiver,
    leftBehind: SkippedRecords = SkippedRecords()
  ) throws {
    self.reader = reader
    self.leftBehind = leftBehind
    filter = archiver.filter
    checkCancellation = { try archiver.checkCancellation() }
    try reader.checkMetadata()
    sections = try reader.sections(filter).map(\.key)
    let before = try reader.info()
    info = migrator.migrated(before)
    // A container in memory has one snapshot, used by this thread only.
    threads = !migrator.readsAssets || reader.hasConcurrentAssets ? archiver.threads : 1
    stage = MigrationPass(migrator, source: reader.name, threads: threads)
    if migrator.readsAssets {
      stage.environment = MigrationEnvironment(assets: try reader.assetLookup())
    }
    try checkSource(before)
  }

  /// Returns the migration of a single source, with the new identities of its records.
  static func prepared(
    _ reader: ArchiveReader, _ migrator: Migrator, _ archiver: Archiver
  ) throws -> SourceMigration {
    var jobs = [try SourceMigration(reader, migrator, archiver)]
    try findIdentities(&jobs)
    return jobs[0]
  }

  /// Migrates lines on several threads, and passes the batches to `consume` in order.
  func run(_ selection: LineSelection, _ consume: (MigratedBatch) throws -> Void) throws {
    if selection.sections?.isEmpty == true { return }
    let runners = RunnerPool(stage)
    try reader.mapBatches(
      of: selection, threads: threads,
      transform: { [stage] in try MigratedBatch($0, stage, runners) },
      consume: { batch in
        leftBehind.note(batch.leftBehind)
        try consume(batch)
      })
  }

  /// Migrates the records of some sections.
  func run(_ sections: Set<RecordSection>, _ consume: (MigratedBatch) throws -> Void) throws {
    try run(LineSelection(sections: sections, filter), consume)
  }

  /// Counts the references of results to records that are left behind. If there are any, this takes
  /// another pass, as all of them are known only at the end.
  func danglingReferences() throws -> MigrationReport {
    var report = migrator.emptyReport()
    guard !leftBehind.map.isEmpty else { return report }
    var counting = stage
    counting.environment.leftBehind = leftBehind.map
    counting.purpose = .findNewIDs
    let runners = RunnerPool(counting)
    try reader.mapBatches(
      of: LineSelection([.record], filter), threads: threads,
      transform: { [counting] in try MigratedBatch($0, counting, runners).report },
      consume: {
        report.danglingReferences += $0.danglingReferences
        report.danglingRelationships.add($0.danglingRelationships)
        try checkCancellation()
      })
    return report
  }

  /// Finds records that would get the same name, in a dry run. Takes another pass, to find records
  /// that keep a name that others get.
  ///
  /// - Parameter newIDs: The new identities of renamed or moved records.
  func findCollisions(_ newIDs: Set<RecordLocation>, _ report: inout MigrationReport) throws {
    guard !newIDs.isEmpty else { return }
    let zones = Set(newIDs.map(\.zone))
    var second = self
    second.stage.purpose = .findConflicts(with: newIDs)
    let sections = self.sections.filter { zones.contains(ZoneLocation($0.database, $0.zoneID)) }
    try second.run(Set(sections)) { batch in
      try checkCancellation()
      for location in batch.locations {
        report.collisions.add(
          "\(MigrationError.collision(location.recordID, "unchanged record", "moved record"))")
      }
    }
  }

  /// Throws if the source does not have the migration's source schema.
  private func checkSource(_ info: ContainerInfo) throws {
    guard let first = migrator.migrations.first else { return }
    let (name, version) = (reader.name, first.from)
    if let stated = info.schemaVersion, !Migration.isSameVersion(stated, version) {
      throw MigrationError(
        .source,
        "\(name) has the schema version '\(stated)', but the migration starts from '\(version)'")
    }
    guard let expected = first.fromSchema else { return }
    if let text = info.schema {
      let document = SchemaDocument(parsing: text, name: "the schema in \(name)")
      let differences = SchemaDiff(from: expected, to: try document.validSchema()).changes
        .compactMap(\.dataChange)
      guard differences.isEmpty else {
        let rest = differences.count > 10 ? "; and \(differences.count - 10) more" : ""
        throw MigrationError(
          .source,
          "\(name) does not have the schema of version '\(version)': "
            + differences.prefix(10).joined(separator: "; ") + rest)
      }
    }
    let known = Set(expected.recordTypes.map(\.name) + [SchemaNames.usersType])
    for section in sections where !known.contains(section.recordType) {
      if section.recordType.hasPrefix(SchemaNames.managedPrefix) { continue }
      throw MigrationError(
        .source,
        "\(name) has records of type '\(section.recordType)', which is not in the schema of "
          + "version '\(version)'; it has \(known.sorted().joined(separator: ", "))")
    }
  }

  /// Finds the new identities of renamed or moved records, in bundles that are migrated together: a
  /// reference in one bundle may refer to a record of another.
  ///
  /// Each migration that changes identities takes one pass over the affected records, because it
  /// may read references that an earlier one has updated. Its changes apply to all bundles with
  /// that migration. All bundles end in one version by the shortest chain, so that a migration has
  /// the same distance from the end in each of them.
  ///
  /// - Throws: `MigrationError` if one record would get two identities.
  static func findIdentities(_ jobs: inout [SourceMigration]) throws {
    let longest = jobs.map(\.migrator.stages.count).max() ?? 0
    for distance in stride(from: longest, to: 0, by: -1) {
      var groups: [[String]: [Int]] = [:]
      for (index, job) in jobs.enumerated() {
        let number = job.migrator.stages.count - distance
        guard number >= 0 else { continue }
        let stage = job.migrator.stages[number]
        guard stage.changesIdentity || !stage.lookUps.isEmpty else { continue }
        let migration = job.migrator.migrations[number]
        groups[[migration.from, migration.to], default: []].append(index)
      }
      for group in groups.values { try findIdentities(&jobs, group, distance) }
    }
  }

  /// Finds what one migration must know of other records: first the values that its steps copy,
  /// which the new names may depend on, then the new identities.
  private static func findIdentities(
    _ jobs: inout [SourceMigration], _ group: [Int], _ distance: Int
  ) throws {
    let numbers = group.map { ($0, jobs[$0].migrator.stages.count - distance) }
    guard let stage = numbers.first.map({ jobs[$0].migrator.stages[$1] }) else { return }
    if !stage.lookUps.isEmpty {
      var values = LookUpValues()
      for (index, number) in numbers { try jobs[index].noteValues(number, in: &values) }
      for (index, number) in numbers { jobs[index].stage.environment.lookUps[number] = values }
    }
    guard stage.changesIdentity else { return }
    var map = RecordIDMap()
    for (index, number) in numbers { try jobs[index].noteIdentities(number, in: &map) }
    guard !map.isEmpty else { return }
    for (index, number) in numbers { jobs[index].stage.environment.identities[number] = map }
  }

  /// Notes the values that the steps of one migration copy from other records, also from records
  /// outside the filter.
  private func noteValues(_ number: Int, in values: inout LookUpValues) throws {
    let types = Set(migrator.stages[number].lookUps.map(\.recordType))
    let wanted = Set(
      try reader.sections().map(\.key).filter {
        let outline = self.migrator.outline(
          $0.recordType, in: $0.zoneID, of: $0.database, after: number)
        return outline.isUnknown || outline.places.contains { types.containsName($0.recordType) }
      })
    guard !wanted.isEmpty else { return }
    try reader.mapBatches(
      of: LineSelection(sections: wanted), threads: threads,
      transform: { [stage] batch in
        try stage.found(in: batch) { try $0.lookUpValues(of: $1, at: number) }
      },
      consume: {
        try checkCancellation()
        for entry in $0 { values.note(entry) }
      })
  }

  /// Notes the records that one migration renames or moves, also outside the filter, as
  /// references to them can pass it.
  private func noteIdentities(_ number: Int, in map: inout RecordIDMap) throws {
    let wanted = Set(
      try reader.sections().map(\.key).filter {
        self.migrator.stages[number].makesRecords
          || self.migrator.outline($0.recordType, in: $0.zoneID, of: $0.database)
            .identityStages.contains(number)
      })
    guard !wanted.isEmpty else { return }
    try reader.mapBatches(
      of: LineSelection(sections: wanted), threads: threads,
      transform: { [stage] batch in
        try stage.found(in: batch) { runner, record in
          try runner.identityChanges(of: record, after: number).map { ($0, record.database) }
        }
      },
      consume: {
        try checkCancellation()
        for ((old, new), database) in $0 {
          if let other = map.newIdentity(of: old, in: database), other != new {
            throw MigrationError(
              .invalid,
              "references to '\(old)' of the \(database) database would be ambiguous: it would become "
                + "'\(new)' and '\(other)'. Two bundles have a record of this name, or one is in the "
                + "source and a step makes another; then rename in another plan. Nothing was written"
            )
          }
          map.note(old, became: new, in: database)
        }
      })
  }
}

/// Collects records that are left behind, on the thread that consumes the batches. Each takes about
/// 60 bytes.
final class SkippedRecords: @unchecked Sendable {
  private(set) var map = RecordIDMap()

  func note(_ records: [(database: DatabaseScope, recordID: RecordID)]) {
    for (database, recordID) in records { map.note(recordID, in: database) }
  }
}

extension Migrator {
  /// Returns the info of a container after the migration.
  func migrated(_ info: ContainerInfo) -> ContainerInfo {
    var info = info
    guard let last = migrations.last else { return info }
    info.schemaVersion = last.to
    info.schema = last.toSchema.map { SchemaPrinter().print($0) }
    return info
  }
}

extension SchemaChange {
  /// The effect of a change on records, as text; nil if there is none.
  fileprivate var dataChange: String? {
    switch self {
    case .recordTypeAdded(let type):
      type.name.hasPrefix(SchemaNames.managedPrefix) ? nil : "record type '\(type.name)' is unknown"
    case .recordTypeRemoved(let type):
      type.name.hasPrefix(SchemaNames.managedPrefix) ? nil : "record type '\(type.name)' is missing"
    case .fieldAdded(let field, _): "field '\(field)' is unknown"
    case .fieldRemoved(let field, _): "field '\(field)' is missing"
    case .fieldTypeChanged(let field, let from, let to):
      "field '\(field)' is \(to) instead of \(from)"
    case .roleAdded, .roleRemoved, .optionsChanged, .grantChanged: nil
    }
  }
}

extension MigrationPass {
  /// Returns what a function finds in the records of a batch.
  fileprivate func found<T>(
    in batch: LineBatch, _ find: (MigrationRunner, EditableRecord) throws -> [T]
  ) throws -> [T] {
    let runner = MigrationRunner(migrator, environment: environment, isDryRun: true)
    let record = EditableRecord()
    var found: [T] = []
    try batch.forEach(
      loading: record, loaded: { found += try find(runner, record) }, item: { _, _ in })
    return found
  }
}
