import Foundation
import RecordBundle
import RecordMigration
import RecordModel
import RecordStore

/// Sorts migration results in a temporary container, and returns them in the order of a bundle.
final class SortStore {
  private let container: ContainerStore
  private let stream: RecordStream
  private(set) var zones: [DatabaseScope: Set<ZoneID>] = [:]
  /// The new identities of renamed or moved records.
  private(set) var arrivals: Set<RecordLocation> = []

  /// Migrates sections into a new store.
  ///
  /// - Parameter note: Called with each migrated batch.
  init(
    _ job: MigrationJob, _ sections: Set<RecordSection>, at path: String,
    note: (MigratedBatch) throws -> Void
  ) throws {
    var zones: [DatabaseScope: Set<ZoneID>] = [:]
    var arrivals: Set<RecordLocation> = []
    var added = 0
    do {
      try ContainerStore.build(path: path) { writer in
        try job.run(sections) { batch in
          try note(batch)
          for record in batch.records {
            let section = batch.section(of: record)
            let (database, zoneID) = (section.database, section.zoneID)
            if zones[database, default: []].insert(zoneID).inserted {
              try writer.add(RecordZone(zoneID: zoneID), to: database)
            }
            let name = batch.name(of: record)
            added += 1
            if record.isNewIdentity {
              let location = RecordLocation(section, name: name)
              guard arrivals.insert(location).inserted else {
                throw MigrationError.collision(
                  location.recordID, section.recordType, section.recordType)
              }
            }
            try writer.add(
              RecordRow(
                zone: try writer.zone(zoneID, in: database),
                type: try writer.type(section.recordType), name: name,
                modified: record.modified, payload: batch.dictionary(of: record),
                mayContainAssets: false),
              change: 0)
          }
        }
      }
    } catch ContainerStoreError.duplicateRecord(let recordID, let existing, let incoming) {
      throw MigrationError.collision(recordID, existing, incoming)
    }
    self.zones = zones
    self.arrivals = arrivals
    container = try ContainerStore.open(path: path, mode: .readOnly)
    try Self.checkCount(added, container, job, sections, arrivals)
    stream = try RecordStream(.container(container), .all)
  }

  deinit { stream.stop() }

  /// Throws if the container merged results: it treats two records with equal bytes as one, but in
  /// a migration they collide.
  private static func checkCount(
    _ added: Int, _ container: ContainerStore, _ job: MigrationJob, _ sections: Set<RecordSection>,
    _ arrivals: Set<RecordLocation>
  ) throws {
    var count = 0
    for scope in DatabaseScope.allCases {
      count += try container.database(scope).recordTypes().reduce(0) { $0 + $1.recordCount }
    }
    guard count != added else { return }
    try job.run(sections) { batch in
      for record in batch.records where !record.isNewIdentity {
        let section = batch.section(of: record)
        let location = RecordLocation(section, name: batch.name(of: record))
        guard !arrivals.contains(location) else {
          throw MigrationError.collision(location.recordID, section.recordType, section.recordType)
        }
      }
    }
    throw MigrationError.invalid(
      "\(added) records would become \(count): some would get the same name. Nothing was written")
  }

  /// Writes the records that come before a position in the bundle; all if it is nil.
  func write(
    before place: (section: RecordSection, name: UnsafeRawBufferPointer)?, to writer: BundleWriter
  ) throws {
    while let record = stream.current {
      if let place {
        if place.section.precedes(record.section) { return }
        if record.section == place.section {
          let order = compareBytes(record.name, place.name)
          if order == 0 {
            let location = RecordLocation(record.section, name: record.name)
            throw MigrationError.collision(
              location.recordID, record.section.recordType, place.section.recordType)
          }
          if order > 0 { return }
        }
      }
      try writer.write(record.section, name: record.name, record.dictionary)
      try stream.advance()
    }
  }
}

/// A temporary file for new assets, which a bundle contains last, in the order of their digests.
final class AssetSpool {
  private let handle: FileHandle
  private var places: [String: (offset: UInt64, size: Int)] = [:]
  private var end: UInt64 = 0

  init(path: String) throws {
    _ = FileManager.default.createFile(
      atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    guard let handle = FileHandle(forUpdatingAtPath: path) else {
      throw BundleError.system(errno, in: path, "create a file for new assets")
    }
    self.handle = handle
  }

  deinit { try? handle.close() }

  func add(_ asset: MigratedBatch.NewAsset) throws {
    guard places[asset.sha256] == nil else { return }
    try handle.seek(toOffset: end)
    try handle.write(contentsOf: asset.data)
    places[asset.sha256] = (end, asset.data.count)
    end += UInt64(asset.data.count)
  }

  /// The digests, in the order of a bundle.
  var digests: [String] { places.keys.sorted() }

  /// Writes an asset in chunks.
  func write(_ sha256: String, to writer: BundleWriter) throws {
    guard let place = places[sha256] else { return }
    try handle.seek(toOffset: place.offset)
    try writer.writeAsset(sha256: sha256, size: place.size) { body in
      var rest = place.size
      while rest > 0 {
        guard let data = try handle.read(upToCount: min(AssetChunk.size, rest)), !data.isEmpty
        else { throw BundleError.system(EIO, in: "the new assets", "read asset \(sha256)") }
        try data.withUnsafeBytes(body)
        rest -= data.count
      }
    }
  }
}
