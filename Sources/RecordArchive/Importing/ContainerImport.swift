import Foundation
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema
import RecordStore

/// An import into a container, within its bulk transaction.
final class ContainerImport {
  let archiver: Archiver
  let writer: ImportTransaction
  /// The migrations of the import so far.
  var migrated: [MigratedResults] = []
  /// Reads results for validation. It caches record shapes.
  let reader = RecordJSONReader()
  /// The kinds of values in the imported records, if they are validated.
  private var census: RecordCensus?
  /// Whether imported records are validated.
  var isValidating: Bool { census != nil }
  /// The state of the last record's zone, which adjacent records share.
  private(set) var zone: (id: ZoneID, database: DatabaseScope, state: ZoneState)?
  private var type: (name: String, state: TypeState)?

  init(archiver: Archiver, writer: ImportTransaction) throws {
    self.archiver = archiver
    self.writer = writer
    if archiver.conflictPolicy == .replace { try writer.repair() }
  }

  func add(_ batch: PreparedBatch) throws {
    if let counted = batch.census { try census?.add(counted) }
    var next = 0
    for item in batch.items {
      try add(batch.records[next..<item.position], of: batch)
      next = item.position
      try naming(batch.source, item.line) { try add(item.item) }
    }
    try add(batch.records[next...], of: batch)
  }

  private func add(_ records: ArraySlice<RecordLines.Record>, of batch: PreparedBatch) throws {
    var rest = records
    while let first = rest.first {
      let end = rest.firstIndex { $0.section != first.section } ?? rest.endIndex
      let place = try naming(batch.source, first.line) { try self.place(of: first, in: batch) }
      for record in rest[..<end] { try add(record, of: batch, at: place) }
      rest = rest[end...]
    }
  }

  /// Counts a single record for validation.
  func count(_ record: ResultRecord, _ database: DatabaseScope) throws {
    try census?.add(record, in: database)
  }

  /// Counts a single subscription for validation.
  func count(_ subscription: CloudSubscription, _ database: DatabaseScope) {
    census?.add(subscription, in: database)
  }

  /// Counts the values of the records that follow, if they are validated.
  func startCounting(_ validations: [Archiver.Validation]) {
    census = validations.isEmpty ? nil : RecordCensus(source: "")
  }

  /// Validates the records that were counted. Called before the transaction ends.
  ///
  /// - Parameters:
  ///   - source: The name of the source in messages.
  ///   - info: The info of the source; its schema is the default.
  func validate(
    _ validations: [Archiver.Validation], from source: String, _ info: ContainerInfo
  ) throws {
    guard var census else { return }
    census.source = source
    for validation in validations { try validate(census, validation, from: source, info) }
  }

  private func validate(
    _ census: RecordCensus, _ validation: Archiver.Validation, from source: String,
    _ info: ContainerInfo
  ) throws {
    var own = try writer.info()
    let theirs = info.schemaDocument(of: source)
    let ours = own.schemaDocument(of: "the container")
    // In development, the container's own schema grows.
    let embedded = validation.environment == .development ? ours ?? theirs : theirs ?? ours
    let outcome = try validation.check(census, embedded: embedded)
    guard let growth = outcome.extendedSchema, !growth.changes.isEmpty else { return }
    own.schema = SchemaPrinter().print(growth.schema)
    try writer.setInfo(own)
  }

  /// Calls `body`, and adds the line number to the error if a record's zone is missing.
  private func naming<R>(_ source: String, _ line: Int, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as CloudError where error.code == .zoneNotFound {
      throw BundleError(
        .notFound, in: source, line: line,
        "\(error.message); no earlier line describes it")
    }
  }

  /// The zone and type that the records of one section are added to.
  struct SectionPlace {
    let zone: ZoneState
    let type: TypeState
  }

  func place(of record: RecordLines.Record, in batch: RecordLines) throws -> SectionPlace {
    let section = batch.section(of: record)
    return SectionPlace(
      zone: try zone(section.zoneID, section.database), type: try type(section.recordType))
  }

  @inline(__always)
  func add(_ record: RecordLines.Record, of batch: RecordLines, at place: SectionPlace) throws {
    try writer.add(
      RecordRow(
        zone: place.zone, type: place.type, name: batch.name(of: record),
        modified: record.modified, payload: batch.dictionary(of: record),
        mayContainAssets: record.mayContainAssets, hashes: record.hashes),
      change: record.change)
  }

  func zone(_ zoneID: ZoneID, _ database: DatabaseScope) throws -> ZoneState {
    if let zone, zone.database == database, zone.id.isIdentical(to: zoneID) || zone.id == zoneID {
      return zone.state
    }
    let state = try writer.existingZone(zoneID, in: database)
    zone = (zoneID, database, state)
    return state
  }

  func type(_ name: String) throws -> TypeState {
    if let type, type.name.sameScalars(as: name) { return type.state }
    let state = try writer.type(name)
    type = (name, state)
    return state
  }

  func add(_ item: BundleItem) throws {
    switch item {
    case .record(let record, let database): try writer.add(record, to: database)
    case .zone(let zone, let database): try add(zone, database)
    case .subscription(let subscription, let database): try add(subscription, database)
    case .tombstone(let tombstone, let database): try add(tombstone, database)
    case .zoneTombstone(let tombstone, let database): try add(tombstone, database)
    case .asset(let chunk):
      try chunk.data.withUnsafeBytes {
        try writer.addAssetChunk(
          $0, at: Int64(chunk.offset), ofAsset: chunk.sha256, size: Int64(chunk.assetSize))
      }
    }
  }

  func add(_ zone: RecordZone, _ database: DatabaseScope) throws {
    guard let existing = try stored({ try writer.zone(zone.zoneID, in: database) }) else {
      try writer.add(zone, to: database)
      writer.counts.zones += 1
      return
    }
    guard existing != zone else { return }
    // Every container has a default zone from the start, so an undescribed one is not a conflict.
    let plain = RecordZone(zoneID: zone.zoneID)
    let (saysNothing, comesPlain) = (existing == plain, zone == plain)
    switch archiver.conflictPolicy {
    case .keep where !(zone.zoneID.isDefault && saysNothing): break
    case .fail where zone.zoneID.isDefault && comesPlain: break
    case .fail where !(zone.zoneID.isDefault && saysNothing):
      throw ArchiveError.zoneConflict(zone.zoneID, database)
    case .replace, .fail, .keep: try writer.add(zone, to: database)
    }
  }

  /// Reads an item that the import may replace. One that cannot be read is no conflict under the
  /// policy that replaces.
  private func stored<T>(_ read: () throws -> T?) throws -> T? {
    do {
      return try read()
    } catch let error as ContainerStoreError
      where (error.isOfItem || error.code == .damaged) && archiver.conflictPolicy == .replace
    {
      return nil
    }
  }

  /// Adds a zone, or merges new members into it, as responses can describe a zone in parts.
  func merge(_ zone: RecordZone, _ database: DatabaseScope) throws {
    guard var merged = try stored({ try writer.zone(zone.zoneID, in: database) }) else {
      return try add(zone, database)
    }
    for member in zone.otherMembers { merged.otherMembers.set(member.name, to: member.value) }
    if merged != zone || zone.zoneID.isDefault { try writer.add(merged, to: database) }
  }

  func add(_ subscription: CloudSubscription, _ database: DatabaseScope) throws {
    let id = subscription.subscriptionID
    if let existing = try stored({ try writer.subscription(id, in: database) }) {
      guard existing != subscription else { return }
      switch archiver.conflictPolicy {
      case .fail:
        throw ArchiveError.subscriptionConflict(id, database)
      case .keep: return
      case .replace: break
      }
    }
    try writer.add(subscription, to: database)
    writer.counts.subscriptions += 1
  }

  /// Adds the tombstone of a deleted record. An existing record is deleted under the policy
  /// `.replace`; else the tombstone is skipped and counted.
  ///
  /// - Parameter deletesExisting: Whether to delete an existing record under any policy.
  func add(
    _ tombstone: DeletedRecord, _ database: DatabaseScope, deletesExisting: Bool = false
  ) throws {
    let replaces = archiver.conflictPolicy == .replace
    if try !writer.add(tombstone, to: database, replacing: replaces) {
      guard deletesExisting || deletes(tombstone.recordID, database),
        try writer.remove(tombstone.recordID, from: database),
        try writer.add(tombstone, to: database)
      else {
        writer.counts.supersededTombstones += 1
        return
      }
      writer.counts.deleted += 1
    }
  }

  /// Whether the policy lets a deletion win. A record that a migration gave the name of a deleted
  /// one is another record.
  private func deletes(_ recordID: RecordID, _ database: DatabaseScope) -> Bool {
    let location = RecordLocation(database, recordID)
    return archiver.conflictPolicy == .replace
      && !migrated.contains { $0.newIDs.contains(location) }
  }

  /// Adds the tombstone of a deleted zone. An existing zone is deleted with its records under the
  /// policy `.replace`; else the tombstone is skipped and counted.
  ///
  /// - Parameter deletesExisting: Whether to delete an existing zone under any policy.
  func add(
    _ tombstone: DeletedZone, _ database: DatabaseScope, deletesExisting: Bool = false
  ) throws {
    let zoneID = tombstone.zoneID
    if try !writer.add(tombstone, to: database) {
      guard deletesExisting || archiver.conflictPolicy == .replace, !zoneID.isDefault,
        let removed = try writer.remove(zoneID, from: database),
        try writer.add(tombstone, to: database)
      else {
        writer.counts.supersededTombstones += 1
        return
      }
      zone = nil
      writer.counts.deleted += removed
    }
  }
}

/// The state of an import for one migration.
struct MigratedResults {
  let job: SourceMigration
  /// The new identities of records that were renamed or moved.
  var newIDs: Set<RecordLocation> = []
}

extension ContainerImport {
  /// Starts importing the results of a migration.
  func begin(_ job: SourceMigration) { migrated.append(MigratedResults(job: job)) }

  /// Adds the results of a batch.
  func add(_ batch: MigratedBatch, of job: SourceMigration) throws {
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
  private func add(_ record: RecordLines.Record, of batch: MigratedBatch) throws {
    let section = batch.section(of: record)
    try noteNewID(of: batch.name(of: record), in: section, isNew: record.isNewIdentity)
    if isValidating { try count(try reader.read(batch.dictionary(of: record)), section.database) }
    if zone?.database != section.database || zone?.id != section.zoneID,
      try !writer.hasZone(section.zoneID, in: section.database)
    {
      try add(RecordZone(zoneID: section.zoneID), section.database)
    }
    try add(record, of: batch, at: place(of: record, in: batch))
  }

  /// Throws if two records of a source get the same name. The migration is at fault then, so no
  /// conflict policy may drop one of them.
  private func noteNewID(
    of name: UnsafeRawBufferPointer, in section: RecordSection, isNew: Bool
  ) throws {
    guard let last = migrated.indices.last, isNew || !migrated[last].newIDs.isEmpty else {
      return
    }
    let location = RecordLocation(section, name: name)
    let isTaken =
      isNew
      ? !migrated[last].newIDs.insert(location).inserted
      : migrated[last].newIDs.contains(location)
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
    for results in migrated where results.newIDs.contains(location) {
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
