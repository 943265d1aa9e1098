import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel

/// What an import knows of the results of one migration.
struct MigratedResults {
  let job: MigrationJob
  /// The names and zones that records have got newly.
  var arrivals: Set<SideStore.ArrivalKey> = []
}

extension ContainerImport {
  /// Begins to take what a bundle becomes.
  func begin(_ job: MigrationJob) throws {
    try add(job.info)
    migrated.append(MigratedResults(job: job))
  }

  /// Ends it: results are held against the schema, where that was asked for.
  func end(_ job: MigrationJob) throws {
    try validate(from: job.bundle.fileNames.first ?? "the source", job.info)
  }

  /// Adds a record that a migration has made; its zone is made where it is not there.
  func add(_ row: MigratedRow) throws {
    let section = row.section
    try noteArrival(row)
    if isValidating {
      try count(try reader.read(row.payload), section.database)
    }
    if zone?.database != section.database || zone?.id != section.zoneID,
      try writer.existingZone(section.zoneID, in: section.database) == nil
    {
      try add(RecordZone(zoneID: section.zoneID), section.database)
    }
    let zone = try zone(section.zoneID, section.database)
    let type = try type(section.recordType)
    if let tag = row.changeTag { writer.note(changeTag: tag, in: section.database) }
    try writer.add(
      RecordRow(
        zone: zone, type: type, name: row.name,
        modified: row.modified?.timeIntervalSinceReferenceDate, payload: row.payload,
        mayHoldAssets: row.holdsAssets))
  }

  /// Adds the bytes of an asset that a migration has made.
  func add(newAsset sha256: String, _ data: Data) throws {
    try data.withUnsafeBytes {
      try writer.addAssetChunk($0, at: 0, ofAsset: sha256, size: Int64(data.count))
    }
    report.assets += 1
  }

  /// Two records of a bundle that get one name are the migration's fault: no policy for conflicts
  /// with what is in the container may drop one of them.
  private func noteArrival(_ row: MigratedRow) throws {
    guard let last = migrated.indices.last,
      row.isNewIdentity || !migrated[last].arrivals.isEmpty
    else { return }
    let recordID = RecordID(
      recordName: String(decoding: row.name, as: UTF8.self), zoneID: row.section.zoneID)
    let key = SideStore.ArrivalKey(database: row.section.database, recordID: recordID)
    let isTaken =
      row.isNewIdentity
      ? !migrated[last].arrivals.insert(key).inserted : migrated[last].arrivals.contains(key)
    if isTaken {
      throw MigrationError.collision(
        recordID, row.section.recordType, "record that was renamed or moved")
    }
  }

  /// Throws where both records came from one bundle, and one of them got its name newly. A new
  /// container is told of conflicts in the end, so that all bundles are asked.
  func refuseCollision(_ conflict: ImportConflict) throws {
    let recordID = conflict.recordID
    let key = SideStore.ArrivalKey(database: conflict.scope, recordID: recordID)
    let filter = RecordFilter(databases: [conflict.scope], zoneIDs: [recordID.zoneID])
    for results in migrated where results.arrivals.contains(key) {
      let job = results.job
      for (database, record) in try job.bundle.records(named: recordID.recordName, filter)
      where job.filter.contains(record, database: database) {
        let results = try job.migrator.migrate(record, in: database, environment: job.environment)
        guard results.contains(where: { $0.recordID == recordID }) else { continue }
        throw MigrationError.collision(recordID, conflict.existingType, conflict.incomingType)
      }
    }
  }
}
