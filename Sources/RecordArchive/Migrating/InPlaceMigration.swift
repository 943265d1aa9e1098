import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel

/// Migrates a container in its place: one transaction, in which each record that changes is saved
/// as an app would save it.
///
/// The records are read from a bundle that is made of the container at the beginning of the
/// transaction, so that what is read does not change by what is written.
struct InPlaceMigration {
  let archiver: Archiver
  let migrator: Migrator
  let container: MockContainer

  func run() throws -> MigrationReport {
    let folder = try TemporaryFolder()
    return try container.migrationTransaction { writer in
      // Writing first takes the lock: nobody else can change what is read from now on.
      var info = try container.info()
      try writer.setInfo(info)
      let path = folder.file("before.recordpack")
      var exporter = Archiver()
      exporter.bundleOptions.level = 1
      exporter.threads = archiver.threads
      exporter.progress = { [archiver] _ in try archiver.pulse() }
      try exporter.export(container, to: path)
      let bundle = try BundleReader(path: path)
      var job = MigrationJob(bundle, named: container.name, migrator, archiver)
      try job.checkSource()
      job.environment = try archiver.environment(for: bundle, migrator, in: folder)
      try job.findIdentities()
      let departures = try self.departures(job)
      try removeDeparted(departures, writer)
      let report = try save(job, departures, writer)
      try migrateOthers(bundle, writer)
      info = migrator.migrated(info)
      try writer.setInfo(info)
      return report
    }
  }

  private typealias Key = SideStore.ArrivalKey

  /// Migrates the records of a frame, and hands each over with what has become of it.
  private func migrate(
    _ frame: BundleFrame, _ job: MigrationJob,
    _ body: (ResultRecord, DatabaseScope, EditableRecord, [EditableRecord]) throws -> Void
  ) throws -> MigrationRunner {
    let runner = MigrationRunner(job.migrator, environment: job.environment)
    let editable = EditableRecord()
    try frame.forEachLine { line, number in
      guard case .record(let record, let database)? = try frame.item(line, number: number),
        job.filter.contains(record, database: database)
      else { return }
      editable.load(record, in: database)
      try runner.run(editable)
      try body(record, database, editable, runner.results)
    }
    return runner
  }

  /// The records that leave their names and zones, or are left behind.
  private func departures(_ job: MigrationJob) throws -> Set<Key> {
    var departures: Set<Key> = []
    let mayLeave = job.changesIdentity || migrator.mayLoseAssets
    guard mayLeave else { return [] }
    try job.bundle.mapFrames(
      where: { $0.kind == .record }, threads: job.threads,
      transform: { frame in
        var gone: [Key] = []
        _ = try migrate(frame, job) { record, database, _, results in
          let recordID = record.recordID
          if !results.contains(where: { $0.recordID == recordID }) {
            gone.append(Key(database: database, recordID: recordID))
          }
        }
        return gone
      },
      consume: {
        departures.formUnion($0)
        try archiver.pulse()
      })
    return departures
  }

  private func removeDeparted(_ departures: Set<Key>, _ writer: MigrationWriter) throws {
    // In a fixed order, so that the same migration counts the same changes.
    let sorted = departures.sorted {
      $0.database != $1.database ? $0.database < $1.database : $0.recordID < $1.recordID
    }
    for key in sorted { try writer.delete(key.recordID, from: key.database) }
  }

  private func save(
    _ job: MigrationJob, _ departures: Set<Key>, _ writer: MigrationWriter
  ) throws -> MigrationReport {
    var report = migrator.emptyReport()
    var progress = ArchiveProgress(records: 0, bytes: 0)
    progress.totalRecords = job.bundle.recordCount
    var arrivals: Set<Key> = []
    try job.bundle.mapFrames(
      where: { $0.kind == .record }, threads: job.threads,
      transform: { frame in
        var changed: [(DatabaseScope, ResultRecord, isNew: Bool)] = []
        var size = 0
        let runner = try migrate(frame, job) { record, database, editable, results in
          // What a step in Swift has made is as it came too, but it is another record.
          for result in results where !(result === editable && result.isAsItCame) {
            let result = result.resultRecord
            guard result != record else { continue }
            changed.append((database, result, result.recordID != record.recordID))
            size += result.fields.reduce(0) { $0 + $1.value.approximateSize }
            guard size <= job.mostBytes(ofFrame: frame.size) else { throw job.tooLarge(frame.size) }
          }
        }
        return MigratedBatch(
          changed: changed, leftBehind: runner.leftBehind, report: runner.report)
      },
      consume: { batch in
        report.add(batch.report)
        job.leftBehind.note(batch.leftBehind)
        for (database, record, isNew) in batch.changed {
          let recordID = record.recordID
          if isNew {
            let key = Key(database: database, recordID: recordID)
            let isTaken =
              try !departures.contains(key) && writer.contains(recordID, in: database)
            guard !isTaken, arrivals.insert(key).inserted else {
              throw MigrationError.collision(recordID, record.recordType, "record that is there")
            }
            try writer.makeZone(recordID.zoneID, in: database)
          }
          try writer.save(DraftRecord(record), in: database)
        }
        progress.records += batch.report.records
        try archiver.report(progress)
      })
    report.danglingReferences = try job.danglingReferences()
    return report
  }

  private func migrateOthers(_ bundle: BundleReader, _ writer: MigrationWriter) throws {
    try bundle.forEachItem(of: [.subscription], threads: 1) { item in
      guard case .subscription(let subscription, let database) = item else { return }
      let migrated = migrator.migrate(subscription)
      if migrated != subscription { try writer.save(migrated, in: database) }
    }
  }
}

/// What a frame's records have become, where they change.
private struct MigratedBatch: Sendable {
  var changed: [(DatabaseScope, ResultRecord, isNew: Bool)]
  var leftBehind: [(database: DatabaseScope, recordID: RecordID)]
  var report: MigrationReport
}
