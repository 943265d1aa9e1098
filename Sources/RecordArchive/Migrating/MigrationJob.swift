import Foundation
import MockCloud
import RecordBundle
import RecordMigration
import RecordModel
import RecordSchema

/// One source, and its migration.
struct MigrationJob {
  let reader: ArchiveReader
  var stage: MigrationStage
  let filter: RecordFilter
  /// Called during work that reports no progress; throws to cancel it.
  let pulse: () throws -> Void
  /// What the container says about itself afterwards.
  let info: ContainerInfo
  /// The record sections that pass the filter, in the order of a bundle.
  let sections: [RecordSection]
  let threads: Int
  /// The records that were left behind by then; bundles that are migrated together share it.
  private let leftBehind: LeftBehind

  var migrator: Migrator { stage.migrator }

  /// - Throws: `MigrationError` for a source that does not have the schema the migration begins with.
  init(
    _ reader: ArchiveReader, _ migrator: Migrator, _ archiver: Archiver,
    leftBehind: LeftBehind = LeftBehind()
  ) throws {
    self.reader = reader
    self.leftBehind = leftBehind
    filter = archiver.filter
    pulse = { try archiver.pulse() }
    sections = try reader.sections(filter).map(\.key)
    let before = try reader.info()
    info = migrator.migrated(before)
    // A container in memory has one view, which belongs to this thread.
    threads = !migrator.readsAssets || reader.hasConcurrentAssets ? archiver.threads : 1
    stage = MigrationStage(migrator, source: reader.name, threads: threads)
    if migrator.readsAssets {
      stage.environment = MigrationEnvironment(assets: try reader.assetLookup())
    }
    try checkSource(before)
  }

  /// Migrates lines on several threads, and hands the batches over in order.
  func run(_ selection: LineSelection, _ consume: (MigratedBatch) throws -> Void) throws {
    if selection.sections?.isEmpty == true { return }
    try reader.mapBatches(
      of: selection, threads: threads, transform: { [stage] in try stage($0) },
      consume: { batch in
        leftBehind.note(batch.leftBehind)
        try consume(batch)
      })
  }

  /// Migrates the records of some sections.
  func run(_ sections: Set<RecordSection>, _ consume: (MigratedBatch) throws -> Void) throws {
    try run(LineSelection(sections: sections, filter), consume)
  }

  /// How many references of results lead to records that were left behind. Where there are any, it
  /// takes another pass over the records: who is left behind is known at the end only.
  func danglingReferences() throws -> Int {
    guard !leftBehind.map.isEmpty else { return 0 }
    var counting = stage
    counting.environment.leftBehind = leftBehind.map
    counting.isDryRun = true
    var count = 0
    try reader.mapBatches(
      of: LineSelection([.record], filter), threads: threads,
      transform: { [counting] in try counting($0).report },
      consume: {
        count += $0.danglingReferences
        try pulse()
      })
    return count
  }

  /// Two records that would get one name, found in a dry run: a second pass looks for those that keep
  /// the names which others get.
  ///
  /// - Parameter arrivals: the names and zones that records get newly.
  func findCollisions(_ arrivals: Set<RecordLocation>, _ report: inout MigrationReport) throws {
    guard !arrivals.isEmpty else { return }
    let zones = Set(arrivals.map { RecordSection($0.database, $0.recordID.zoneID, "") })
    var second = self
    second.stage.arrivals = arrivals
    let sections = self.sections.filter {
      zones.contains(RecordSection($0.database, $0.zoneID, ""))
    }
    try second.run(Set(sections)) { batch in
      try pulse()
      for location in batch.taken {
        report.collisions.add(
          "\(MigrationError.collision(location.recordID, "a record that stays", "one that comes"))")
      }
    }
  }

  /// Refuses a source that does not have the schema the migration begins with.
  private func checkSource(_ info: ContainerInfo) throws {
    guard let first = migrator.migrations.first else { return }
    let (name, version) = (reader.name, first.from)
    if let stated = info.schemaVersion, !Migration.isSameVersion(stated, version) {
      throw MigrationError.source(
        "\(name) has the schema version '\(stated)', and the migration begins with '\(version)'")
    }
    guard let expected = first.fromSchema else { return }
    if let text = info.schema {
      let document = SchemaDocument(parsing: text, name: "the schema in \(name)")
      let differences = SchemaDiff(from: expected, to: try document.validSchema()).changes
        .compactMap(\.dataChange)
      guard differences.isEmpty else {
        let rest = differences.count > 10 ? "; and \(differences.count - 10) more" : ""
        throw MigrationError.source(
          "\(name) does not have the schema of version '\(version)': "
            + differences.prefix(10).joined(separator: "; ") + rest)
      }
    }
    let known = Set(expected.recordTypes.map(\.name) + [SchemaNames.usersType])
    for section in sections where !known.contains(section.recordType) {
      if section.recordType.hasPrefix(SchemaNames.managedPrefix) { continue }
      throw MigrationError.source(
        "\(name) has records of type '\(section.recordType)', which the schema of version "
          + "'\(version)' does not have; it has \(known.sorted().joined(separator: ", "))")
    }
  }
}

/// Collects the records that are left behind, in the thread that batches are handed over in.
///
/// Takes about sixty bytes for each.
final class LeftBehind: @unchecked Sendable {
  private(set) var map = IdentityMap()

  func note(_ records: [(database: DatabaseScope, recordID: RecordID)]) {
    for (database, recordID) in records { map.note(recordID, in: database) }
  }
}

extension Migrator {
  /// What a container says about itself after the migration.
  func migrated(_ info: ContainerInfo) -> ContainerInfo {
    var info = info
    guard let last = migrations.last else { return info }
    info.schemaVersion = last.to
    info.schema = last.toSchema.map { SchemaPrinter().print($0) }
    return info
  }
}

extension SchemaChange {
  /// What a change means for records, in words; nil where it means nothing for them.
  fileprivate var dataChange: String? {
    switch self {
    case .recordTypeAdded(let type):
      type.name.hasPrefix(SchemaNames.managedPrefix) ? nil : "record type '\(type.name)' is unknown"
    case .recordTypeRemoved(let type):
      type.name.hasPrefix(SchemaNames.managedPrefix) ? nil : "record type '\(type.name)' is missing"
    case .fieldAdded(let type, let field): "field '\(type).\(field.name)' is unknown"
    case .fieldRemoved(let type, let field): "field '\(type).\(field.name)' is missing"
    case .fieldTypeChanged(let type, let field, let from, let to):
      "field '\(type).\(field)' is \(to) instead of \(from)"
    case .roleAdded, .roleRemoved, .optionsChanged, .grantChanged: nil
    }
  }
}
