import Foundation
import RecordMigration
import RecordModel
import RecordStore

/// Migrates a container in one transaction, and saves each changed record as an app would. Reads
/// the state before the transaction.
struct InPlaceMigration {
  private let archiver: Archiver
  private let job: SourceMigration
  private let transaction: ContainerTransaction
  private let stamp: EncodedStamp
  /// The records that are renamed, moved to another zone or left behind.
  private var oldIDs: Set<RecordLocation> = []
  /// The new identities of records.
  private var newIDs: Set<RecordLocation> = []

  /// - Throws: Errors of reading and writing, `MigrationError`, and `CloudError` for a record that
  ///   no app could save.
  static func run(
    _ container: ContainerStore, _ migrator: Migrator, _ archiver: Archiver
  ) throws -> MigrationReport {
    for _ in 0..<100 {
      // A snapshot taken within the transaction would see its changes, so the snapshot comes first.
      // A container in memory has one connection.
      let source =
        container.path == nil
        ? try container.temporaryCopy(progress: archiver.checkCancellation) : container
      let report = try source.snapshot { snapshot in
        try container.transaction(isLarge: true) { transaction in
          guard try transaction.begins(with: snapshot) else { return nil as MigrationReport? }
          try transaction.dropIndexes()
          let reader = ArchiveReader(snapshot, of: source)
          var job = try SourceMigration.prepared(reader, migrator, archiver)
          job.stage.purpose = .save(container.limits)
          job.stage.needsStamps = false
          var migration = try InPlaceMigration(
            archiver: archiver, job: job, transaction: transaction)
          return try migration.run()
        }
      }
      if let report { return report }
    }
    throw ContainerStoreError.busy
  }

  private init(
    archiver: Archiver, job: SourceMigration, transaction: ContainerTransaction
  ) throws {
    self.archiver = archiver
    self.job = job
    self.transaction = transaction
    stamp = try EncodedStamp(transaction.stamp())
  }

  private mutating func run() throws -> MigrationReport {
    try findOldIDs()
    try removeOldIDs()
    let report = try saveRecords()
    try saveOthers()
    try transaction.setInfo(job.info)
    return report
  }

  /// Finds the identities that must be free before others get them.
  private mutating func findOldIDs() throws {
    guard job.stage.changesIdentity || job.migrator.mayLoseAssets else { return }
    var finding = job
    finding.stage.purpose = .findOldIDs
    try finding.run(Set(job.sections)) { batch in
      oldIDs.formUnion(batch.locations)
      try archiver.checkCancellation()
    }
  }

  private func removeOldIDs() throws {
    // In a fixed order, so that change tags are reproducible.
    for location in oldIDs.sorted() {
      let (recordID, database) = (location.recordID, location.database)
      guard try transaction.hasZone(recordID.zoneID, in: database),
        let tombstone = try transaction.takeRecord(
          recordID, in: transaction.existingZone(recordID.zoneID, in: database))
      else { continue }
      let migrated = job.migrator.migrate(tombstone, in: location.database)
      try transaction.save(migrated, in: location.database)
    }
  }

  private mutating func saveRecords() throws -> MigrationReport {
    var report = job.migrator.emptyReport()
    var progress = ArchiveProgress(records: 0, bytes: 0)
    progress.totalRecords = try job.reader.recordCount(job.filter)
    try job.run(Set(job.sections)) { batch in
      report.add(batch.report)
      for record in batch.records { try save(record, of: batch) }
      for asset in batch.newAssets { try transaction.add(asset: asset.sha256, asset.data) }
      progress.records += batch.report.records
      progress.bytes += batch.size
      try archiver.report(progress)
    }
    report.add(try job.danglingReferences())
    return report
  }

  private mutating func save(_ record: RecordLines.Record, of batch: MigratedBatch) throws {
    let (name, section) = (batch.name(of: record), batch.section(of: record))
    if record.isNewIdentity { try makeRoom(for: RecordLocation(section, name: name), section) }
    guard let stamps = record.stamps else {
      throw ContainerStoreError.unreadable(
        name: "'\(String(decoding: name, as: UTF8.self))'", detail: "the result is not canonical")
    }
    try transaction.save(
      UnsafeRawBufferPointer(rebasing: batch.dictionary(of: record).dropFirst()), stampedAt: stamps,
      created: batch.bytes(record.created), name: name, in: section, stampedBy: stamp)
  }

  private mutating func makeRoom(
    for location: RecordLocation, _ section: RecordSection
  ) throws {
    let isTaken =
      try !oldIDs.contains(location)
      && transaction.contains(location.recordID, in: location.database)
    guard !isTaken, newIDs.insert(location).inserted else {
      throw MigrationError.collision(
        location.recordID, section.recordType, "existing record")
    }
    try transaction.makeZone(section.zoneID, in: section.database)
  }

  /// Renames record types and fields in subscriptions and tombstones too.
  private func saveOthers() throws {
    for (database, subscription) in try job.reader.subscriptions(job.filter) {
      let migrated = job.migrator.migrate(subscription)
      if migrated != subscription { try transaction.write(migrated, in: database) }
    }
    try job.reader.forEachTombstone(job.filter) { tombstone, database in
      let migrated = job.migrator.migrate(tombstone, in: database)
      // A record that now has the name of a deleted one is not deleted.
      guard migrated != tombstone, !newIDs.contains(RecordLocation(database, tombstone.recordID))
      else { return }
      try transaction.save(migrated, in: database)
    }
  }
}

extension Archiver {
  /// Migrates a container in place, in one transaction.
  ///
  /// Each record that changes is saved as an app would save it, with the next change tag, the time
  /// of the migration and the signed-in user. A record that is renamed or moved to another zone is
  /// saved as a new one, and leaves a tombstone. If an error occurs or the process ends, the
  /// container is unchanged.
  public func migrate(
    inPlace container: some StoredContainer, with migrator: Migrator
  ) throws -> MigrationReport {
    try InPlaceMigration.run(container.store, migrator, self)
  }

  /// Returns the report of a migration without writing anything; failures are counted.
  public func dryRun(
    _ source: ArchiveSource, with migrator: Migrator
  ) throws -> MigrationReport {
    try source.read { reader in
      var job = try SourceMigration.prepared(reader, migrator, self)
      job.stage.purpose = .findNewIDs
      var newIDs: Set<RecordLocation> = []
      var report = migrator.emptyReport()
      var done = ArchiveProgress(records: 0, bytes: 0)
      done.totalRecords = try reader.recordCount(filter)
      try job.run(Set(job.sections)) { batch in
        report.add(batch.report)
        for location in batch.locations where !newIDs.insert(location).inserted {
          report.collisions.add(
            "\(MigrationError.collision(location.recordID, "moved record", "another one"))")
        }
        done.records += batch.report.records
        try self.report(done)
      }
      try job.findCollisions(newIDs, &report)
      report.add(try job.danglingReferences())
      return report
    }
  }

  /// Calls ``progress`` during work that has no counts, so that it can cancel.
  func checkCancellation() throws { try report(ArchiveProgress(records: 0, bytes: 0)) }
}
