import Foundation
import MockCloud
import RecordBundle
import RecordMigration
import RecordModel

/// Migrates a bundle into a bundle.
///
/// A bundle is written in the order of database, zone, type and name, and a migration may change
/// all of these but the database. What happens to the records of a section (those of one type in
/// one zone) is known before they are read: nearly always they stay together and in order, under
/// the old names or new ones. Such sections are streamed, in the order their new names demand.
/// Those whose records go several ways, or come to a zone where others are, take a detour through a
/// container file, which puts them in order and refuses two of one name, and are merged into the
/// stream. So memory is bounded by frames in either case.
final class BundleMigration {
  private let archiver: Archiver
  private var job: MigrationJob
  private let folder: TemporaryFolder
  private let writer: BundleWriter
  private let spool: AssetSpool
  private(set) var report: MigrationReport
  private var progress = ArchiveProgress(records: 0, bytes: 0)
  private var usedAssets: Set<String> = []
  private var side: SideStore?

  init(
    _ archiver: Archiver, _ job: MigrationJob, _ path: String, mustNotExist: Bool
  ) throws {
    self.archiver = archiver
    self.job = job
    self.job.collectsAssets =
      job.migrator.mayLoseAssets || archiver.filter != .all || job.makesAssets
    self.job.needsStamps = false
    folder = try TemporaryFolder()
    spool = try AssetSpool(path: folder.file("assets"))
    report = job.migrator.emptyReport()
    var options = archiver.bundleOptions
    options.threads = archiver.threads
    writer = try BundleWriter(
      path: path, container: job.info, options: options, mustNotExist: mustNotExist)
    progress.totalRecords = archiver.filter == .all ? job.bundle.recordCount : nil
  }

  func run() throws -> BundleSummary {
    do {
      try write()
      report.danglingReferences = try job.danglingReferences()
      return try writer.finish()
    } catch {
      writer.cancel()
      throw error
    }
  }

  private func write() throws {
    let (straight, detours) = MigrationWays(job).ways
    if !detours.isEmpty {
      side = try SideStore(job, detours, at: folder.file("side.sqlite")) { try note($0) }
    }
    let zones = try writeZones(straight.map(\.target))
    try writeSubscriptions()
    try writeRecords(straight)
    try writeRest(zones)
  }

  private func note(_ frame: MigratedFrame) throws {
    report.add(frame.report)
    usedAssets.formUnion(frame.usedAssets)
    for asset in frame.newAssets { try spool.add(asset) }
    progress.records += frame.report.records
    progress.bytes += frame.size
    try archiver.report(progress)
  }

  /// - Returns: the zones of each database.
  private func writeZones(_ targets: [SectionKey]) throws -> [DatabaseScope: Set<ZoneID>] {
    var zones: [(database: DatabaseScope, zone: RecordZone)] = try job.bundle.zones().filter {
      job.filter.contains(database: $0.database, zoneID: $0.zone.zoneID)
    }
    var arrivals = targets.map { ($0.database, $0.zoneID) }
    for (database, ids) in side?.zones ?? [:] { arrivals += ids.map { (database, $0) } }
    for (database, zoneID) in arrivals
    where !zones.contains(where: { $0.database == database && $0.zone.zoneID == zoneID }) {
      zones.append((database, RecordZone(zoneID: zoneID)))
    }
    zones.sort {
      $0.database != $1.database ? $0.database < $1.database : $0.zone.zoneID < $1.zone.zoneID
    }
    for (database, zone) in zones { try writer.write(zone, database: database) }
    return Dictionary(grouping: zones, by: \.database).mapValues { Set($0.map(\.zone.zoneID)) }
  }

  private func writeSubscriptions() throws {
    try job.bundle.forEachItem(of: [.subscription], job.filter, threads: 1) { item in
      guard case .subscription(let subscription, let database) = item,
        job.filter.contains(subscription, database)
      else { return }
      try writer.write(job.migrator.migrate(subscription), database: database)
    }
  }

  /// Sections that follow each other before and after are read in one go.
  private func writeRecords(_ sections: [(source: SectionKey, target: SectionKey)]) throws {
    let places = Dictionary(
      uniqueKeysWithValues: job.sections.enumerated().map { ($1, $0) })
    var run: Set<SectionKey> = []
    var last = -1
    for (source, _) in sections {
      let place = places[source] ?? 0
      if place < last {
        try write(run)
        run = []
      }
      run.insert(source)
      last = place
    }
    try write(run)
    try side?.write(before: nil, to: writer)
  }

  private func write(_ sections: Set<SectionKey>) throws {
    try job.run(sections) { frame in
      try note(frame)
      for entry in frame.entries { try write(entry, frame) }
    }
  }

  private func write(_ entry: MigratedFrame.Entry, _ frame: MigratedFrame) throws {
    let (name, section) = (frame.bytes(entry.name), frame.sections[entry.section])
    if let side {
      try side.write(before: (section, name), to: writer)
      if !side.arrivals.isEmpty {
        let recordID = RecordID(
          recordName: String(decoding: name, as: UTF8.self), zoneID: section.zoneID)
        let key = SideStore.ArrivalKey(database: section.database, recordID: recordID)
        guard !side.arrivals.contains(key) else {
          throw MigrationError.collision(recordID, section.recordType, "record that was moved")
        }
      }
    }
    try writer.writeRecord(
      dictionary: frame.bytes(entry.dictionary), name: name, zoneID: section.zoneID,
      recordType: section.recordType, database: section.database)
  }

  /// - Parameter zones: those that are there: they are not deleted.
  private func writeRest(_ zones: [DatabaseScope: Set<ZoneID>]) throws {
    try job.bundle.forEachItem(of: [.tombstone, .zoneTombstone], job.filter, threads: 1) { item in
      guard job.filter.containsItem(item) else { return }
      switch item {
      case .tombstone(let tombstone, let database):
        // A record that has taken the name of a deleted one is not deleted.
        let key = SideStore.ArrivalKey(database: database, recordID: tombstone.recordID)
        if side?.arrivals.contains(key) == true { return }
        try writer.write(job.migrator.migrate(tombstone, in: database), database: database)
      case .zoneTombstone(let zoneID, let database):
        if zones[database]?.contains(zoneID) == true { return }
        try writer.write(zoneTombstone: zoneID, database: database)
      default: break
      }
    }
    try writeAssets()
  }

  private func writeAssets() throws {
    let used = job.collectsAssets ? usedAssets : nil
    var fresh = spool.digests[...]
    try job.bundle.forEachItem(of: [.asset], threads: job.threads) { item in
      // What is stored both here and newly is written as a new one.
      guard case .asset(let chunk) = item, used?.contains(chunk.sha256) != false else { return }
      if chunk.offset == 0 {
        while let next = fresh.first, next < chunk.sha256 {
          try spool.write(next, to: writer)
          fresh.removeFirst()
        }
        if fresh.first == chunk.sha256 { fresh.removeFirst() }
      }
      try chunk.data.withUnsafeBytes {
        try writer.writeAssetChunk(
          sha256: chunk.sha256, assetSize: chunk.assetSize, offset: chunk.offset, bytes: $0)
      }
    }
    for sha256 in fresh { try spool.write(sha256, to: writer) }
  }
}
