import Foundation
import MockCloud
import RecordBundle
import RecordMigration
import RecordModel

/// Results that do not lie in the order they came in: they are put in order in a container file of
/// their own, and come out of it one by one.
final class SideStore {
  private let container: MockContainer
  private let stream: RecordStream
  private(set) var zones: [DatabaseScope: Set<ZoneID>] = [:]
  /// The identities that records have got newly.
  private(set) var arrivals: Set<ArrivalKey> = []
  private var next: RecordStream.Element?

  struct ArrivalKey: Hashable, Sendable {
    var database: DatabaseScope
    var recordID: RecordID

    init(database: DatabaseScope, recordID: RecordID) {
      self.database = database
      self.recordID = recordID
    }

    init(_ database: DatabaseScope, _ zoneID: ZoneID, _ name: UnsafeRawBufferPointer) {
      let name = String(decoding: name, as: UTF8.self)
      self.init(database: database, recordID: RecordID(recordName: name, zoneID: zoneID))
    }
  }

  /// Migrates some sections of a bundle into a new store.
  ///
  /// - Parameter note: gets each frame that was migrated.
  init(
    _ job: MigrationJob, _ sections: Set<SectionKey>, at path: String,
    note: (MigratedFrame) throws -> Void
  ) throws {
    var zones: [DatabaseScope: Set<ZoneID>] = [:]
    var arrivals: Set<ArrivalKey> = []
    var added = 0
    do {
      try MockContainer.build(path: path) { writer in
        try job.run(sections) { frame in
          try note(frame)
          for entry in frame.entries {
            let section = frame.sections[entry.section]
            let (database, zoneID) = (section.database, section.zoneID)
            if zones[database, default: []].insert(zoneID).inserted {
              try writer.add(RecordZone(zoneID: zoneID), to: database)
            }
            let name = frame.bytes(entry.name)
            added += 1
            if entry.isNewIdentity {
              let key = ArrivalKey(database, zoneID, name)
              guard arrivals.insert(key).inserted else {
                throw MigrationError.collision(
                  key.recordID, section.recordType, section.recordType)
              }
            }
            try writer.add(
              RecordRow(
                zone: try writer.zone(zoneID, in: database),
                type: try writer.type(section.recordType), name: name,
                modified: entry.modified?.timeIntervalSinceReferenceDate,
                payload: frame.bytes(entry.dictionary), mayHoldAssets: false))
          }
        }
      }
    } catch MockContainerError.duplicateRecord(let recordID, let existing, let incoming) {
      throw MigrationError.collision(recordID, existing, incoming)
    }
    self.zones = zones
    self.arrivals = arrivals
    container = try MockContainer.open(path: path, mode: .readOnly)
    try Self.checkCount(added, container, job, sections, arrivals)
    stream = RecordStream(.container(container), .all)
    next = try stream.next()
  }

  deinit { stream.stop() }

  /// A container takes a record that it has already, to the last byte, for the same one: to a
  /// migration, these are two.
  private static func checkCount(
    _ added: Int, _ container: MockContainer, _ job: MigrationJob, _ sections: Set<SectionKey>,
    _ arrivals: Set<ArrivalKey>
  ) throws {
    var count = 0
    for scope in DatabaseScope.allCases {
      count += try container.database(scope).recordTypes().reduce(0) { $0 + $1.recordCount }
    }
    guard count != added else { return }
    try job.run(sections) { frame in
      for entry in frame.entries where !entry.isNewIdentity {
        let section = frame.sections[entry.section]
        let key = ArrivalKey(section.database, section.zoneID, frame.bytes(entry.name))
        guard !arrivals.contains(key) else {
          throw MigrationError.collision(key.recordID, section.recordType, section.recordType)
        }
      }
    }
    throw MigrationError.invalid(
      "\(added) records would become \(count): some would have one name. Nothing was written")
  }

  /// Writes the records that come before a place in the bundle; all, where that is nil.
  func write(
    before place: (section: SectionKey, name: UnsafeRawBufferPointer)?, to writer: BundleWriter
  ) throws {
    while let (database, record) = next {
      if let place {
        let recordID = record.recordID
        let own = SectionKey(database, recordID.zoneID, record.recordType)
        if place.section.precedes(own) { return }
        if own == place.section {
          var name = recordID.recordName
          let order = name.withUTF8 { compareBytes(UnsafeRawBufferPointer($0), place.name) }
          if order == 0 {
            throw MigrationError.collision(recordID, record.recordType, record.recordType)
          }
          if order > 0 { return }
        }
      }
      try writer.write(record, database: database)
      next = try stream.next()
    }
  }
}
