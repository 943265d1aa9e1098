import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel

/// Writes a bundle of the records of a source, unchanged or migrated.
///
/// A bundle is ordered by database, zone, type and name; a migration may change all but the
/// database. The effect on each section (the records of one type in one zone) is known before it is
/// read. In most sections, the records stay together and in order, under the same or new names.
/// These are streamed in the order of the new sections. Sections that are split, joined or moved to
/// a zone with other records are sorted, and merged into the stream. Memory is bounded by batches
/// and by the number of records that are renamed or moved there.
final class BundleExport {
  private let archiver: Archiver
  private let reader: ArchiveReader
  /// The migration; nil if the records are copied.
  private var job: SourceMigration?
  private let writer: BundleWriter
  /// The report of the migration.
  private(set) var report: MigrationReport?
  @exclusivity(unchecked) private var progress = ArchiveProgress(records: 0, bytes: 0)
  /// Whether to write only the assets that records refer to.
  private let selectsAssets: Bool
  private let collectsAssets: Bool
  private var usedAssets: Set<String> = []
  private var writtenAssets: Set<String> = []
  /// The folder for temporary files, created on first use.
  private var folder: TemporaryFolder?
  private var spool: AssetSpool?
  /// The results that are not streamed, in the order of the bundle.
  @exclusivity(unchecked) private var sorted: SortedRecords?
  private var sortedSections: [RecordSection] = []
  /// The new identities of sorted results.
  private var newIDs: Set<RecordLocation> = []
  /// The new identities that were written.
  private var writtenIDs: Set<RecordLocation> = []
  private var zones: [DatabaseScope: Set<ZoneID>] = [:]

  private var filter: RecordFilter { archiver.filter }

  init(
    _ archiver: Archiver, _ reader: ArchiveReader, _ job: SourceMigration?,
    info: ContainerInfo, to path: String, overwrite: Bool
  ) throws {
    self.archiver = archiver
    self.reader = reader
    self.job = job
    report = job?.migrator.emptyReport()
    selectsAssets =
      archiver.filter != .all || archiver.condition != nil
      || job.map { $0.migrator.mayLoseAssets || $0.stage.makesAssets }
        ?? false
    // A container knows which assets are missing; of a bundle, this counts them.
    collectsAssets = selectsAssets || job == nil && reader.isBundle
    self.job?.stage.collectsAssets = collectsAssets
    self.job?.stage.needsStamps = false
    if archiver.progress != nil { progress.totalRecords = try reader.recordCount(archiver.filter) }
    writer = try BundleWriter(
      path: path, container: info, options: archiver.bundleOptions, overwrite: overwrite)
  }

  func run() throws -> BundleSummary {
    try write()
    if let job { report?.add(try job.danglingReferences()) }
    var summary = try writer.finish()
    summary.missingAssets =
      reader.isBundle
      ? usedAssets.subtracting(writtenAssets).count
      : try reader.missingAssets(among: selectsAssets ? usedAssets : nil)
    return summary
  }

  private func write() throws {
    if let job {
      let routes = try SectionRoutes(job)
      if !routes.detours.isEmpty { try sort(routes.detours, job) }
      try writeZones(routes.straight.map(\.target) + sortedSections)
      try writeSubscriptions()
      try writeRecords(routes.straight, job)
    } else {
      try writeZones([])
      try writeSubscriptions()
      try copyRecords()
    }
    try writeTombstones()
    try writeAssets()
    try archiver.report(progress)
  }

  // MARK: Zones and the rest

  /// - Parameter targets: The sections of the written records; their zones may be new.
  private func writeZones(_ targets: [RecordSection]) throws {
    var zones = try reader.zones(filter)
    for zone in zones { self.zones[zone.database, default: []].insert(zone.zone.zoneID) }
    for target in targets
    where self.zones[target.database, default: []].insert(target.zoneID).inserted {
      zones.append((target.database, RecordZone(zoneID: target.zoneID)))
    }
    zones.sort {
      $0.database != $1.database ? $0.database < $1.database : $0.zone.zoneID < $1.zone.zoneID
    }
    for (database, zone) in zones { try writer.write(zone, database: database) }
  }

  private func writeSubscriptions() throws {
    for (database, subscription) in try reader.subscriptions(filter) {
      let migrated = job?.migrator.migrate(subscription)
      try writer.write(migrated ?? subscription, database: database)
    }
  }

  private func writeTombstones() throws {
    if archiver.condition != nil { return }
    try reader.forEachTombstone(filter) { tombstone, database in
      // A record that now has the name of a deleted one is not deleted.
      if newIDs.contains(RecordLocation(database, tombstone.recordID)) { return }
      let migrated = job?.migrator.migrate(tombstone, in: database)
      try writer.write(migrated ?? tombstone, database: database)
    }
    for (database, tombstone) in try reader.zoneTombstones(filter)
    where zones[database]?.contains(tombstone.zoneID) != true {
      try writer.write(tombstone, database: database)
    }
  }

  private func writeAssets() throws {
    var selection = LineSelection([.asset])
    if selectsAssets { selection.assets = usedAssets }
    if !selectsAssets, case .snapshot(let snapshot, _) = reader.content,
      let damage = snapshot.damage, damage.count > 0
    {
      // Records that are left out have no assets in the bundle.
      var used: Set<String> = []
      for database in DatabaseScope.allCases {
        try snapshot.forEachRecordBytes(in: database) { dictionary, _ in
          AssetReferences.forEach(in: dictionary) { used.insert($0.description) }
        }
      }
      selection.assets = used
    }
    var fresh = (spool?.digests ?? [])[...]
    try reader.forEachItem(of: selection, threads: archiver.threads) { item in
      guard case .asset(let chunk) = item else { return }
      // An asset that is both stored and new is written once.
      if chunk.offset == 0 {
        if collectsAssets { writtenAssets.insert(chunk.sha256) }
        while let next = fresh.first, next < chunk.sha256 {
          try spool?.write(next, to: writer)
          fresh.removeFirst()
        }
        if fresh.first == chunk.sha256 { fresh.removeFirst() }
      }
      try chunk.data.withUnsafeBytes {
        try writer.writeAssetChunk(
          sha256: chunk.sha256, assetSize: chunk.assetSize, offset: chunk.offset, bytes: $0)
      }
      progress.bytes += chunk.data.count
      try archiver.report(progress)
    }
    for sha256 in fresh { try spool?.write(sha256, to: writer) }
  }

  // MARK: Unchanged records

  private func copyRecords() throws {
    if let condition = archiver.condition { return try copyRecords(that: condition) }
    switch reader.content {
    case .snapshot(let snapshot, _):
      for database in DatabaseScope.allCases where filter.contains(database: database) {
        try snapshot.forEachRecordBytes(in: database, filter: filter) { dictionary, key in
          try writer.writeRecord(
            dictionary: dictionary, name: key.name, zoneID: key.zoneID, recordType: key.recordType,
            database: database)
          try note(dictionary)
        }
      }
    case .bundle:
      try reader.prepareBatches(LineSelection([.record], filter), threads: archiver.threads) {
        try $0 { batch in
          try batch.forEachRecord { record, section in
            let dictionary = batch.dictionary(of: record)
            try writer.write(section, name: batch.name(of: record), dictionary)
            try note(dictionary, mayContainAssets: record.mayContainAssets)
          }
        }
      }
    }
  }

  private func copyRecords(that condition: @escaping ArchiveCondition) throws {
    try reader.forEachRecord(
      filter,
      transform: { try condition($0, $1) ? ($0, $1) : nil },
      progress: { count in
        progress.records += count
        try archiver.report(progress)
      },
      { (record: ResultRecord, database: DatabaseScope) in
        try writer.write(record, database: database)
        if collectsAssets { usedAssets.formUnion(record.assetDigests) }
      })
  }

  private func note(_ dictionary: UnsafeRawBufferPointer, mayContainAssets: Bool = true) throws {
    if collectsAssets, mayContainAssets {
      AssetReferences.forEach(in: dictionary) { usedAssets.insert($0.description) }
    }
    progress.records += 1
    progress.bytes += dictionary.count
    if progress.records & 1023 == 0 { try archiver.report(progress) }
  }

  // MARK: Migrated records

  /// Migrates the records of sections that do not keep their order, and sorts them.
  private func sort(_ sections: Set<RecordSection>, _ job: SourceMigration) throws {
    let sorter = RecordSorter(threads: archiver.threads)
    try job.run(sections) { batch in
      try note(batch)
      for record in batch.records where record.isNewIdentity {
        let section = batch.section(of: record)
        let location = RecordLocation(section, name: batch.name(of: record))
        guard newIDs.insert(location).inserted else { throw collision(location, section) }
      }
      try sorter.add(batch)
    }
    sortedSections = sorter.sections
    sorted = try sorter.sorted()
  }

  private func collision(_ location: RecordLocation, _ section: RecordSection) -> MigrationError {
    .collision(location.recordID, section.recordType, "renamed or moved record")
  }

  private func temporaryFolder() throws -> TemporaryFolder {
    let folder = try self.folder ?? TemporaryFolder()
    self.folder = folder
    return folder
  }

  private func note(_ batch: MigratedBatch) throws {
    report?.add(batch.report)
    usedAssets.formUnion(batch.usedAssets)
    for asset in batch.newAssets {
      let spool = try self.spool ?? AssetSpool(path: temporaryFolder().file("assets"))
      self.spool = spool
      try spool.add(asset)
    }
    progress.records += batch.report.records
    progress.bytes += batch.size
    try archiver.report(progress)
  }

  /// Reads consecutive sections together if their order stays the same.
  private func writeRecords(
    _ sections: [(source: RecordSection, target: RecordSection)], _ job: SourceMigration
  ) throws {
    let places = Dictionary(
      uniqueKeysWithValues: job.sections.enumerated().map { ($1, $0) })
    var run: Set<RecordSection> = []
    var last = -1
    for (source, _) in sections {
      let place = places[source] ?? 0
      if place < last {
        try write(run, job)
        run = []
      }
      run.insert(source)
      last = place
    }
    try write(run, job)
    try writeSorted(before: nil)
  }

  private func write(_ sections: Set<RecordSection>, _ job: SourceMigration) throws {
    try job.run(sections) { batch in
      try note(batch)
      try batch.forEachRecord { record, section in
        let name = batch.name(of: record)
        if sorted != nil {
          try writeSorted(before: (section, name))
          try checkName(name, section)
        }
        try writer.write(section, name: name, batch.dictionary(of: record))
      }
    }
  }

  /// Writes the sorted results that come before a record; all if it is nil.
  private func writeSorted(
    before place: (section: RecordSection, name: UnsafeRawBufferPointer)?
  ) throws {
    while let record = sorted?.current {
      if let place {
        let isBefore =
          record.section == place.section
          ? compareBytes(record.name, place.name) < 0 : record.section.precedes(place.section)
        guard isBefore else { return }
      }
      try checkName(record.name, record.section)
      try writer.write(record.section, name: record.name, record.dictionary)
      try sorted?.advance()
    }
  }

  /// Throws if a result has the new name of another one.
  private func checkName(_ name: UnsafeRawBufferPointer, _ section: RecordSection) throws {
    guard !newIDs.isEmpty else { return }
    let location = RecordLocation(section, name: name)
    guard !newIDs.contains(location) || writtenIDs.insert(location).inserted else {
      throw collision(location, section)
    }
  }
}

extension BundleWriter {
  /// Writes a record.
  ///
  /// - Parameters:
  ///   - name: Its name in UTF-8.
  ///   - dictionary: Its canonical JSON.
  func write(
    _ section: RecordSection, name: UnsafeRawBufferPointer, _ dictionary: UnsafeRawBufferPointer
  ) throws {
    try writeRecord(
      dictionary: dictionary, name: name, zoneID: section.zoneID, recordType: section.recordType,
      database: section.database)
  }
}
