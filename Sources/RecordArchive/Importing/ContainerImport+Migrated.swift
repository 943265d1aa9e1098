import Foundation
import RecordStore
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel

/// The state of an import for one migration.
struct MigratedResults {
  let job: MigrationJob
  /// The new identities of records that were renamed or moved.
  var arrivals: Set<RecordLocation> = []
}

extension ContainerImport {
  /// Starts importing the results of a migration.
  func begin(_ job: MigrationJob) { migrated.append(MigratedResults(job: job)) }

  /// Adds the results of a batch.
  func add(_ batch: MigratedBatch, of job: MigrationJob) throws {
    for item in batch.items {
      switch item {
      case .subscription(let subscription, let database):
        let migrated = job.migrator.migrate(subscription)
        count(migrated, database)
        try add(migrated, database)
      case .tombstone, .zoneTombstone: continue
      default: try add(item)
      }
    }
    for record in batch.records { try add(record, of: batch) }
    // Deletions come last, so that they do not apply to migrated records.
    for item in batch.items {
      switch item {
      case .tombstone(let tombstone, let database):
        try add(job.migrator.migrate(tombstone, in: database), database)
      case .zoneTombstone: try add(item)
      default: continue
      }
    }
    for asset in batch.newAssets {
      try asset.data.withUnsafeBytes {
        try writer.addAssetChunk($0, at: 0, ofAsset: asset.sha256, size: Int64($0.count))
      }
    }
  }

  /// Adds a migrated record, and creates its zone if it does not exist.
  private func add(_ record: BatchRecord, of batch: MigratedBatch) throws {
    let section = batch.section(of: record)
    try noteArrival(of: batch.name(of: record), in: section, isNew: record.isNewIdentity)
    if isValidating { try count(try reader.read(batch.dictionary(of: record)), section.database) }
    if zone?.database != section.database || zone?.id != section.zoneID,
      try writer.existingZone(section.zoneID, in: section.database) == nil
    {
      try add(RecordZone(zoneID: section.zoneID), section.database)
    }
    try add(record, of: batch, at: place(of: record, in: batch))
  }

  /// Throws if two records of a source get the same name. The migration is at fault then, so no
  /// conflict policy may drop one of them.
  private func noteArrival(
    of name: UnsafeRawBufferPointer, in section: RecordSection, isNew: Bool
  ) throws {
    guard let last = migrated.indices.last, isNew || !migrated[last].arrivals.isEmpty else {
      return
    }
    let location = RecordLocation(section, name: name)
    let isTaken =
      isNew
      ? !migrated[last].arrivals.insert(location).inserted
      : migrated[last].arrivals.contains(location)
    if isTaken {
      throw MigrationError.collision(
        location.recordID, section.recordType, "renamed or moved record")
    }
  }

  /// Throws if both records came from one source, and one was renamed or moved. A new container
  /// reports conflicts only at the end, so all sources are checked.
  func refuseCollision(_ conflict: ImportConflict) throws {
    let recordID = conflict.recordID
    let location = RecordLocation(conflict.scope, recordID)
    let filter = RecordFilter(databases: [conflict.scope], zoneIDs: [recordID.zoneID])
    for results in migrated where results.arrivals.contains(location) {
      let job = results.job
      for (database, record) in try job.reader.records(named: recordID.recordName, filter)
      where job.filter.contains(record, database: database) {
        let results = try job.migrator.migrate(
          record, in: database, environment: job.stage.environment)
        guard results.contains(where: { $0.recordID == recordID }) else { continue }
        throw MigrationError.collision(recordID, conflict.existingType, conflict.incomingType)
      }
    }
  }
}
