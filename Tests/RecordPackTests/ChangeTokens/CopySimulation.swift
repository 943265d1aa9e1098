import RecordPack
import TestSupport
import Testing

/// A container of mira, who shares records with kenji, and their slow readers.
struct CopySimulation {
  enum Kind { case server, merged, filled, filledWhole }

  private let kind: Kind
  private let seed: UInt64
  private var random: SeededGenerator
  private let folder: TestFolder
  private var container: MockContainer
  private var readers: [SlowReader]
  private var sharedReaders: [SlowReader]
  private var number = 0
  private var generation = 0
  /// Whether a zone was deleted: if it is made again under its name, its tokens are expired.
  private var hasDeletedZones = false
  /// The tags that the server gave.
  private var given: Set<String> = []
  private let zones = ["A", "B", "C", "D"].map { ZoneID(zoneName: $0) }
  /// A zone that is never changed.
  private let quiet = ZoneID(zoneName: "Quiet")

  init(_ seed: UInt64, _ kind: Kind) async throws {
    self.seed = seed
    self.kind = kind
    random = SeededGenerator(seed &* 31 &+ 7)
    folder = try TestFolder()
    let reader = SlowReader(readsPages: kind != .filledWhole)
    readers = [SlowReader](repeating: reader, count: 4)
    sharedReaders = [SlowReader](repeating: reader, count: 2)
    container = try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_mira"))
    switch kind {
    case .filled, .filledWhole: try load()
    case .server, .merged: try await saveQuietZone()
    }
    _ = try container.account("_kenji", emailAddress: "kenji@example.com")
  }

  private var database: MockDatabase { container.privateCloudDatabase }
  private var place: Comment { "\(kind) seed \(seed), generation \(generation)" }
  private func mira() throws -> MockAccount { try container.account("_mira") }
  private func kenji() throws -> MockAccount { try container.account("_kenji") }

  private func saveQuietZone() async throws {
    try await database.save(RecordZone(zoneID: quiet))
    for index in 0..<3 {
      try await database.save(
        DraftRecord(
          recordType: "Note", recordID: RecordID(recordName: "r\(index)", zoneID: quiet)))
    }
  }

  // MARK: What others wrote

  private mutating func tag() -> String? {
    // Small ones, so that the numbers of zones and of what else has no tag matter.
    if seed.isMultiple(of: 2) { return random.chance(2) ? nil : String(random.below(6), radix: 36) }
    return switch random.below(8) {
    case 0, 1: nil
    case 2: "not-a-number"
    case 3: "zzzzzzzzzzzzzzzz"
    case 4: String(random.below(40), radix: 36)
    default: String(random.below(400), radix: 36)
    }
  }

  /// Fills the container.
  private mutating func load() throws {
    let path = folder.path("loaded")
    let writer = try BundleWriter(path: path, container: ContainerInfo())
    let known = zones.prefix(3) + [quiet]
    for zoneID in known {
      try writer.write(RecordZone(zoneID: zoneID), database: .private)
    }
    if random.chance(2) {
      for id in ["s0", "s1", "s2"] { try writer.write(subscription: id) }
    }
    for zoneID in [zones[0], zones[1], quiet] {
      for index in 0..<random.below(6) { try write(index, in: zoneID, to: writer) }
    }
    try write(deleted: "r9", in: zones[0], to: writer)
    for zoneID in [zones[3], ZoneID(zoneName: "X")] {
      try writer.write(DeletedZone(zoneID: zoneID, reason: .purged), database: .private)
    }
    _ = try writer.finish()
    try Archiver().importBundle(BundleReader(path: path), into: container)
  }

  private mutating func write(_ index: Int, in zoneID: ZoneID, to writer: BundleWriter) throws {
    try writer.write(
      RecordID(recordName: "r\(index)", zoneID: zoneID), tag: tag(), text: "i\(number)")
  }

  private mutating func write(
    deleted name: String, in zoneID: ZoneID, to writer: BundleWriter
  ) throws {
    let recordID = RecordID(recordName: name, zoneID: zoneID)
    try writer.write(
      DeletedRecord(recordID: recordID, recordChangeTag: tag()), database: .private)
  }

  /// Imports records of another container, whose tags mean nothing here.
  private mutating func importOther(_ zoneID: ZoneID) throws {
    let path = folder.path("other")
    let writer = try BundleWriter(path: path, container: ContainerInfo())
    let others = Set(random.chance(2) ? [zoneID] : [zoneID, random.pick(zones)]).sorted()
    for zoneID in others { try writer.write(RecordZone(zoneID: zoneID), database: .private) }
    for zoneID in others {
      for index in 0..<random.below(4) {
        try write(3 * index + random.below(3), in: zoneID, to: writer)
      }
    }
    if random.chance(3) { try write(deleted: "r9\(random.below(2))", in: zoneID, to: writer) }
    let deleted = random.pick(zones)
    if random.chance(6), !others.contains(deleted) {
      try writer.write(DeletedZone(zoneID: deleted), database: .private)
      hasDeletedZones = true
    }
    _ = try writer.finish()
    var archiver = Archiver()
    archiver.conflictPolicy = random.chance(2) ? .replace : .keep
    try archiver.importBundle(BundleReader(path: path), into: container)
    container.expectIntact(place)
  }

  // MARK: What happens

  mutating func act() async throws {
    number += 1
    let zoneID = random.pick(zones)
    let recordID = RecordID(recordName: "r\(random.below(10))", zoneID: zoneID)
    do {
      switch random.below(18) {
      case 0...4: try await save(recordID)
      case 5, 6: try await database.deleteRecord(withID: recordID)
      case 7: try await database.save(RecordZone(zoneID: zoneID))
      case 8 where random.chance(2): try await deleteZone(zoneID)
      case 9: try await mira().share(recordID, with: kenji())
      case 10 where kind != .server && random.chance(2): try importOther(zoneID)
      case 11: try await changeSubscription("s\(random.below(3))")
      case 12, 13:
        let index = random.below(sharedReaders.count)
        try await sharedReaders[index].read(kenji().sharedCloudDatabase, &random)
      default:
        let index = random.below(readers.count)
        try await readers[index].read(database, &random)
      }
    } catch is CloudError {
      // What does not exist cannot be changed.
    }
  }

  private mutating func save(_ recordID: RecordID) async throws {
    var draft = DraftRecord(recordType: random.chance(4) ? "Other" : "Note", recordID: recordID)
    draft["text"] = "\(number)"
    if random.chance(3) {
      draft.parent = Reference(
        recordID: RecordID(recordName: "r0", zoneID: recordID.zoneID), action: .none)
    }
    let greatest = try container.greatestTag()
    try await database.modifyRecords(saving: [draft], deleting: [], savePolicy: .allKeys)
    guard let record = try? await database.record(for: recordID),
      (record["text"] ?? "") == "\(number)", let tag = record.systemFields.recordChangeTag
    else { return }
    #expect(given.insert(tag).inserted, "\(place): the tag was given twice")
    #expect(Int64(tag, radix: 36) ?? 0 > greatest, place)
  }

  private mutating func deleteZone(_ zoneID: ZoneID) async throws {
    if random.chance(2) {
      try await container.purgeRecordZone(withID: zoneID)
    } else {
      try await database.deleteRecordZone(withID: zoneID)
    }
    hasDeletedZones = true
  }

  private mutating func changeSubscription(_ id: String) async throws {
    if random.chance(2) {
      try await database.save(
        CloudSubscription(subscriptionID: id, kind: .database(recordType: nil)))
    } else {
      try await database.modifySubscriptions(saving: [], deleting: [id])
    }
  }

  /// Goes on with a copy of the container.
  mutating func copy() throws {
    generation += 1
    container = try container.checkedCopy(by: folder.path("copy"), place)
  }

  /// Expects that all readers end with what the container has.
  mutating func check() async throws {
    var expected: [RecordID: String] = [:]
    let zones = try container.store.snapshot { snapshot in
      let zones = Set(try snapshot.zones(in: .private).map(\.zoneID).filter { !$0.isDefault })
      try snapshot.forEachRecord(in: .private, filter: RecordFilter(zoneIDs: zones)) {
        expected[$0.recordID] = SlowReader.text(of: $0)
      }
      return zones
    }
    for index in readers.indices {
      try await readers[index].readAll(database, &random)
      let place: Comment = "\(place), reader \(index)"
      #expect(readers[index].records == expected, place)
      #expect(readers[index].zones == zones, place)
      // In a copy of a changed container, tokens are expired.
      #expect(hasDeletedZones || generation > 0 || readers[index].expired == 0, place)
    }
    let shared = try kenji().sharedCloudDatabase
    var fresh = SlowReader()
    try await fresh.readAll(shared, &random)
    for index in sharedReaders.indices {
      try await sharedReaders[index].readAll(shared, &random)
      let place: Comment = "\(place), shared reader \(index)"
      #expect(sharedReaders[index].records == fresh.records, place)
      #expect(sharedReaders[index].zones == fresh.zones, place)
    }
  }
}
