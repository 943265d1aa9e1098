import RecordStore
import RecordBundle
import RecordMigration
import RecordModel

/// Migrates a container in one transaction, and saves each changed record as an app would. Reads
/// the state before the transaction.
struct InPlaceMigration {
  private let archiver: Archiver
  private let job: MigrationJob
  private let writer: MigrationWriter
  /// The records that are renamed, moved to another zone or left behind.
  private var departures: Set<RecordLocation> = []
  /// The new identities of records.
  private var arrivals: Set<RecordLocation> = []

  /// - Throws: Errors of reading and writing, `MigrationError`, and `CloudError` for a record that
  ///   no app could save.
  static func run(
    _ container: ContainerStore, _ migrator: Migrator, _ archiver: Archiver
  ) throws -> MigrationReport {
    for _ in 0..<100 {
      // A snapshot taken within the transaction would see its changes, so the snapshot comes first.
      let report = try container.snapshot { snapshot in
        try container.migrationTransaction { writer in
          guard try writer.begins(with: snapshot) else { return nil as MigrationReport? }
          var reader = ArchiveReader(snapshot, of: container)
          try reader.load()
          var job = try MigrationJob.prepared(reader, migrator, archiver)
          job.stage.savingLimits = container.limits
          job.stage.needsStamps = false
          var migration = InPlaceMigration(archiver: archiver, job: job, writer: writer)
          return try migration.run()
        }
      }
      if let report { return report }
    }
    throw ContainerStoreError.busy
  }

  private init(archiver: Archiver, job: MigrationJob, writer: MigrationWriter) {
    self.archiver = archiver
    self.job = job
    self.writer = writer
  }

  private mutating func run() throws -> MigrationReport {
    try findDepartures()
    try removeDeparted()
    let report = try saveRecords()
    try saveOthers()
    try writer.setInfo(job.info)
    return report
  }

  /// Finds the identities that must be free before others get them.
  private mutating func findDepartures() throws {
    guard job.stage.changesIdentity || job.migrator.mayLoseAssets else { return }
    var finding = job
    finding.stage.findsDepartures = true
    try finding.run(Set(job.sections)) { batch in
      departures.formUnion(batch.departures)
      try archiver.pulse()
    }
  }

  private func removeDeparted() throws {
    // In a fixed order, so that change tags are reproducible.
    let sorted = departures.sorted {
      $0.database != $1.database ? $0.database < $1.database : $0.recordID < $1.recordID
    }
    for location in sorted {
      guard let tombstone = try writer.delete(location.recordID, from: location.database) else {
        continue
      }
      let migrated = job.migrator.migrate(tombstone, in: location.database)
      try writer.save(migrated, in: location.database)
    }
  }

  private mutating func saveRecords() throws -> MigrationReport {
    var report = job.migrator.emptyReport()
    var progress = ArchiveProgress(records: 0, bytes: 0)
    progress.totalRecords = try job.reader.recordCount(job.filter)
    try job.run(Set(job.sections)) { batch in
      report.add(batch.report)
      for record in batch.records { try save(record, of: batch) }
      for asset in batch.newAssets { try writer.add(asset: asset.sha256, asset.data) }
      progress.records += batch.report.records
      progress.bytes += batch.size
      try archiver.report(progress)
    }
    report.danglingReferences = try job.danglingReferences()
    return report
  }

  private mutating func save(_ record: BatchRecord, of batch: MigratedBatch) throws {
    let (name, section) = (batch.name(of: record), batch.section(of: record))
    if record.isNewIdentity { try makeRoom(for: RecordLocation(section, name: name), section) }
    guard let stamps = record.stamps else {
      throw ContainerStoreError.unreadable(
        name: "'\(String(decoding: name, as: UTF8.self))'", detail: "the result is not canonical")
    }
    try writer.save(
      UnsafeRawBufferPointer(rebasing: batch.dictionary(of: record).dropFirst()), stampedAt: stamps,
      created: batch.bytes(record.created), name: name, recordType: section.recordType,
      zoneID: section.zoneID, in: section.database)
  }

  private mutating func makeRoom(
    for location: RecordLocation, _ section: RecordSection
  ) throws {
    let isTaken =
      try !departures.contains(location)
      && writer.contains(location.recordID, in: location.database)
    guard !isTaken, arrivals.insert(location).inserted else {
      throw MigrationError.collision(
        location.recordID, section.recordType, "existing record")
    }
    try writer.makeZone(section.zoneID, in: section.database)
  }

  /// Renames record types and fields in subscriptions and tombstones too.
  private func saveOthers() throws {
    for (database, subscription) in try job.reader.subscriptions(job.filter) {
      let migrated = job.migrator.migrate(subscription)
      if migrated != subscription { try writer.save(migrated, in: database) }
    }
    try job.reader.forEachTombstone(job.filter) { tombstone, database in
      let migrated = job.migrator.migrate(tombstone, in: database)
      // A record that now has the name of a deleted one is not deleted.
      guard migrated != tombstone, !arrivals.contains(RecordLocation(database, tombstone.recordID))
      else { return }
      try writer.save(migrated, in: database)
    }
  }
}
