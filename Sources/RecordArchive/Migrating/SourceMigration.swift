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
    report.danglingReferences += try reader.zones(filter).count { database, zone in
      zone.share.flatMap { leftBehind.map.newIdentity(of: $0.recordID, in: database) } != nil
    }
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
  /// Two records with one name cannot be distinguished by the next migration, so the names are unique
  /// after each migration. Writing the results checks the last one.
  ///
  /// - Throws: `MigrationError` if one record would get two identities, or two records one name that
  ///   another migration follows.
  static func findIdentities(_ jobs: inout [SourceMigration]) throws {
    let longest = jobs.map(\.migrator.stages.count).max() ?? 0
    for distance in stride(from: longest, to: 0, by: -1) {
      var groups: [[String]: [Int]] = [:]
      for (index, job) in jobs.enumerated() {
        let number = job.migrator.stages.count - distance
        guard number >= 0 else { continue }
        let stage = job.migrator.stages[number]
        guard stage.changesIdentity || !stage.lookUps.isEmpty || distance > 1 && stage.makesRecords
        else { continue }
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
    let isFollowed = distance > 1
    guard stage.changesIdentity || isFollowed && stage.makesRecords else { return }
    var (map, origins) = (RecordIDMap(), RecordIDMap())
    for (index, number) in numbers {
      try jobs[index].changes(number, in: jobs[index].changing(number)) { change, _ in
        change.isNew || stage.makesRecords && change.mayBeMade
      } _: { change, database in
        if stage.changesIdentity { try map.note(change, in: database) }
        if isFollowed {
          try origins.noteOrigin(change, in: database, jobs[index].migrator.migrations[number].to)
        }
      }
    }
    for (index, number) in numbers where !origins.isEmpty {
      try jobs[index].checkUnchangedNames(origins, after: number)
    }
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

  /// The sections whose records one migration may rename or move, or make records of; also outside
  /// the filter, as references to them can pass it.
  private func changing(_ number: Int) throws -> Set<RecordSection> {
    Set(
      try reader.sections().map(\.key).filter {
        migrator.stages[number].makesRecords
          || migrator.outline($0.recordType, in: $0.zoneID, of: $0.database)
            .identityStages.contains(number)
      })
  }

  /// Throws if a record keeps a name in one migration that others get.
  ///
  /// - Parameter origins: The former IDs of these, by their new ones.
  private func checkUnchangedNames(_ origins: RecordIDMap, after number: Int) throws {
    let sections = try reader.sections().map(\.key).filter { section in
      let outline = migrator.outline(
        section.recordType, in: section.zoneID, of: section.database, after: number + 1)
      return outline.isUnknown
        || outline.places.contains { origins.contains($0.zoneID, of: section.database) }
    }
    @Sendable func other(_ change: IdentityChange, _ database: DatabaseScope) -> RecordID? {
      change.isNew ? nil : change.after.flatMap { origins.newIdentity(of: $0, in: database) }
    }
    try changes(number, in: Set(sections)) {
      other($0, $1) != nil
    } _: { change, database in
      guard let other = other(change, database) else { return }
      throw MigrationError.collision(
        change.origin, "'\(other)'", "'\(change.origin)'", in: migrator.migrations[number].to)
    }
  }

  /// Passes the changes of identities by one migration to `consume`, if they satisfy `test`.
  private func changes(
    _ number: Int, in sections: Set<RecordSection>,
    where test: @escaping @Sendable (IdentityChange, DatabaseScope) -> Bool,
    _ consume: (IdentityChange, DatabaseScope) throws -> Void
  ) throws {
    guard !sections.isEmpty else { return }
    try reader.mapBatches(
      of: LineSelection(sections: sections), threads: threads,
      transform: { [stage] batch in
        try stage.found(in: batch) { runner, record in
          try runner.identityChanges(of: record, after: number)
            .map { ($0, record.database) }.filter(test)
        }
      },
      consume: {
        try checkCancellation()
        for (change, database) in $0 { try consume(change, database) }
      })
  }
}

extension IdentityChange {
  /// Whether a step may make a record with the same ID: its name would contain a dot.
  fileprivate var mayBeMade: Bool {
    before?.recordName.utf8.contains(UInt8(ascii: ".")) == true
  }
}

extension RecordIDMap {
  /// Notes the ID that references to a record get.
  ///
  /// - Throws: `MigrationError` if references to another record with the ID get another one.
  fileprivate mutating func note(_ change: IdentityChange, in database: DatabaseScope) throws {
    guard let old = change.before else { return }
    let new = change.after ?? old
    if let other = newIdentity(of: old, in: database), other != new {
      throw MigrationError(
        .invalid,
        "references to '\(old)' of the \(database) database would be ambiguous: it would become "
          + "'\(new)' and '\(other)'. Two bundles have a record of this name, or one is in the "
          + "source and a step makes another; then rename in another plan. Nothing was written")
    }
    note(old, became: new, in: database)
  }

  /// Notes the former ID of a record by its new one. The same record in two bundles is one record.
  ///
  /// - Throws: `MigrationError` if another record gets the same ID.
  fileprivate mutating func noteOrigin(
    _ change: IdentityChange, in database: DatabaseScope, _ version: String
  ) throws {
    guard change.isNew, let new = change.after else { return }
    if let other = newIdentity(of: new, in: database), other != change.origin {
      throw MigrationError.collision(new, "'\(other)'", "'\(change.origin)'", in: version)
    }
    note(new, became: change.origin, in: database)
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
