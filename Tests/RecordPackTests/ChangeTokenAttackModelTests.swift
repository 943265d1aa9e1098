import Foundation
import RecordPack
import TestSupport
import Testing

/// Readers that fetch one page now and then, of a database and of its zones, while the container is
/// changed, imported into, exported and imported at random.
@Suite("Change tokens of slow readers")
struct ChangeTokenAttackModelTests {
  private static let seeds: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    let first = UInt64(environment["RECORDPACK_ATTACK_FIRST"] ?? "") ?? 0
    return first..<(first + (UInt64(environment["RECORDPACK_ATTACK_SEEDS"] ?? "") ?? 6))
  }()

  @Test("end with the records and zones of a container that a server wrote", arguments: seeds)
  func server(seed: UInt64) async throws { try await run(seed, .server) }

  @Test("... that was merged with others, one by one", arguments: seeds)
  func merged(seed: UInt64) async throws { try await run(seed, .merged) }

  @Test("... that was filled with what others wrote", arguments: seeds)
  func filled(seed: UInt64) async throws { try await run(seed, .filled) }

  @Test("... that was filled, of readers that read the database at once", arguments: seeds)
  func filledWhole(seed: UInt64) async throws { try await run(seed, .filledWhole) }

  private func run(_ seed: UInt64, _ kind: SlowSimulation.Kind) async throws {
    var simulation = try SlowSimulation(seed, kind)
    for _ in 0..<5 {
      for _ in 0..<(8 + Int(seed % 20)) { try await simulation.act() }
      try await simulation.copy()
      for _ in 0..<4 { try await simulation.act() }
      if seed.isMultiple(of: 3) { try await simulation.check() }
    }
    try await simulation.check()
  }
}

/// What a client knows, by the rules of the change feed.
private struct SlowReader {
  var records: [RecordID: String] = [:]
  var zones: Set<ZoneID> = []
  var expired = 0
  var readsPages = true
  private var token: ServerChangeToken?
  private var isDone = false
  private var zoneTokens: [ZoneID: ServerChangeToken] = [:]
  private var changed: Set<ZoneID> = []

  init(readsPages: Bool = true) { self.readsPages = readsPages }

  mutating func page(of database: MockDatabase, _ random: inout SeededGenerator) async throws {
    repeat {
      do {
        let page = try await database.databaseChanges(
          since: token, resultsLimit: readsPages ? 1 + random.below(2) : nil)
        for deletion in page.deletions {
          forget(deletion.zoneID)
          zones.remove(deletion.zoneID)
        }
        for zoneID in page.modifications.map(\.zoneID) {
          changed.insert(zoneID)
          zones.insert(zoneID)
        }
        (token, isDone) = (page.changeToken, !page.moreComing)
      } catch CloudError.changeTokenExpired {
        let count = expired + 1
        self = SlowReader(readsPages: readsPages)
        expired = count
      }
    } while !readsPages && !isDone
  }

  mutating func zonePage(of database: MockDatabase, _ random: inout SeededGenerator) async throws {
    guard !changed.isEmpty else { return }
    let zoneID = random.pick(changed.sorted())
    do {
      let page = try await database.recordZoneChanges(
        inZoneWith: zoneID, since: zoneTokens[zoneID], desiredKeys: nil,
        resultsLimit: random.chance(4) ? nil : 1 + random.below(3))
      for (recordID, result) in page.modificationResultsByID {
        records[recordID] = try Self.text(of: result.get().record)
      }
      for deletion in page.deletions { records[deletion.recordID] = nil }
      zoneTokens[zoneID] = page.changeToken
      if !page.moreComing { changed.remove(zoneID) }
    } catch CloudError.changeTokenExpired {
      expired += 1
      forget(zoneID)
      changed.insert(zoneID)
    } catch CloudError.zoneNotFound {
      // The feed of the database tells of its deletion.
      changed.remove(zoneID)
    } catch CloudError.userDeletedZone {
      changed.remove(zoneID)
    }
  }

  mutating func finish(_ database: MockDatabase, _ random: inout SeededGenerator) async throws {
    isDone = false
    while !isDone || !changed.isEmpty {
      if isDone {
        try await zonePage(of: database, &random)
      } else {
        try await page(of: database, &random)
      }
    }
  }

  static func text(of record: ResultRecord) -> String {
    "\(record["text"] ?? "") \(record.systemFields.recordChangeTag ?? "-")"
  }

  private mutating func forget(_ zoneID: ZoneID) {
    zoneTokens[zoneID] = nil
    changed.remove(zoneID)
    records = records.filter { $0.key.zoneID != zoneID }
  }
}

private struct SlowSimulation {
  enum Kind { case server, merged, filled, filledWhole }

  private let kind: Kind
  private var container: MockContainer
  private var random: SeededGenerator
  private var readers: [SlowReader]
  private var sharedReaders: [SlowReader]
  private let folder: TestFolder
  private let seed: UInt64
  private var number = 0
  private var generation = 0
  private var hasDeletedZones = false
  private var hasMerged = false
  /// The tags that the server gave.
  private var given: Set<String> = []
  private var log: [String] = []
  private let zones = ["A", "B", "C", "D"].map { ZoneID(zoneName: $0) }

  init(_ seed: UInt64, _ kind: Kind) throws {
    self.seed = seed
    self.kind = kind
    random = SeededGenerator(seed &* 31 &+ 7)
    folder = try TestFolder()
    let pages = kind != .filledWhole
    readers = [SlowReader](repeating: SlowReader(readsPages: pages), count: 4)
    sharedReaders = [SlowReader](repeating: SlowReader(readsPages: pages), count: 2)
    container = try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_mira"))
    if kind == .filled || kind == .filledWhole { try load() }
    _ = try container.account("_kenji", emailAddress: "kenji@example.com")
  }

  private var database: MockDatabase { container.privateCloudDatabase }
  private func kenji() throws -> MockAccount { try container.account("_kenji") }

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

  private mutating func load() throws {
    let path = folder.path("loaded")
    let writer = try BundleWriter(path: path, container: ContainerInfo())
    for zoneID in zones.prefix(3) {
      try writer.write(RecordZone(zoneID: zoneID), database: .private)
    }
    if random.chance(2) {
      for id in ["s0", "s1", "s2"] {
        try writer.write(
          CloudSubscription(subscriptionID: id, kind: .database(recordType: nil)),
          database: .private)
      }
    }
    for zoneID in zones.prefix(2) {
      for index in 0..<random.below(6) { try write(index, in: zoneID, to: writer) }
    }
    try writer.write(
      Tombstone(
        recordID: RecordID(recordName: "r9", zoneID: zones[0]), recordChangeTag: tag()),
      database: .private)
    try writer.write(ZoneTombstone(zoneID: zones[3], reason: .purged), database: .private)
    try writer.finish()
    try Archiver().importBundle(BundleReader(path: path), into: container)
  }

  private mutating func write(_ index: Int, in zoneID: ZoneID, to writer: BundleWriter) throws {
    let tag = tag()
    let system = SystemFields(
      recordID: RecordID(recordName: "r\(index)", zoneID: zoneID), recordType: "Note",
      recordChangeTag: tag)
    let text = Field(name: "text", value: .string("i\(number)"))
    try writer.write(ResultRecord(systemFields: system, fields: [text]), database: .private)
  }

  mutating func act() async throws {
    number += 1
    let zoneID = random.pick(zones)
    let recordID = RecordID(recordName: "r\(random.below(10))", zoneID: zoneID)
    do {
      switch random.below(18) {
      case 0...4: try await save(recordID)
      case 5, 6:
        log.append("delete \(recordID)")
        try await database.deleteRecord(withID: recordID)
      case 7:
        log.append("zone \(zoneID)")
        try await database.save(RecordZone(zoneID: zoneID))
      case 8 where random.chance(2):
        log.append("delete zone \(zoneID)")
        if random.chance(2) {
          try await container.purgeRecordZone(withID: zoneID)
        } else {
          try await database.deleteRecordZone(withID: zoneID)
        }
        hasDeletedZones = true
      case 9: try await share(recordID)
      case 10 where kind != .server && random.chance(2): try importOther(zoneID)
      case 11:
        let id = "s\(random.below(3))"
        let isNew = random.chance(2)
        log.append("subscription \(id) \(isNew)")
        if isNew {
          try await database.modifySubscriptions(
            saving: [CloudSubscription(subscriptionID: id, kind: .database(recordType: nil))],
            deleting: [])
        } else {
          try await database.modifySubscriptions(saving: [], deleting: [id])
        }
      case 12, 13:
        let index = random.below(sharedReaders.count)
        log.append("shared reader \(index)")
        let shared = try kenji().sharedCloudDatabase
        if random.chance(2) {
          try await sharedReaders[index].page(of: shared, &random)
        } else {
          try await sharedReaders[index].zonePage(of: shared, &random)
        }
      default:
        let index = random.below(readers.count)
        log.append("reader \(index)")
        if random.chance(2) {
          try await readers[index].page(of: database, &random)
        } else {
          try await readers[index].zonePage(of: database, &random)
        }
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
    log.append("save \(recordID)")
    let greatest = try greatestTag()
    try await database.modifyRecords(saving: [draft], deleting: [], savePolicy: .allKeys)
    guard let record = try? await database.record(for: recordID),
      (record["text"] ?? "") == "\(number)", let tag = record.systemFields.recordChangeTag
    else { return }
    if !given.insert(tag).inserted {
      Issue.record("\(kind) seed \(seed): the tag \(tag) was given twice")
    }
    if Int64(tag, radix: 36) ?? 0 <= greatest {
      Issue.record("\(kind) seed \(seed): the new tag \(tag) is not greater than \(greatest)")
    }
  }

  /// Returns the greatest number in the tag of a record or a deletion.
  private func greatestTag() throws -> Int64 {
    var greatest: Int64 = 0
    func note(_ tag: String?) {
      guard let tag, tag.utf8.count <= 11, let number = Int64(tag, radix: 36) else { return }
      greatest = max(greatest, number)
    }
    try container.store.snapshot { snapshot in
      for scope in [DatabaseScope.private, .shared] {
        try snapshot.forEachRecord(in: scope) { note($0.systemFields.recordChangeTag) }
        try snapshot.forEachTombstone(in: scope) { note($0.recordChangeTag) }
      }
    }
    return greatest
  }

  private mutating func share(_ recordID: RecordID) async throws {
    log.append("share \(recordID)")
    var root = DraftRecord(try await database.record(for: recordID))
    let invited = ShareParticipant(
      permission: .readOnly, userIdentity: UserIdentity(userRecordName: "_kenji"))
    let share = DraftRecord(
      sharing: &root, participants: [invited], recordName: "share-\(recordID.recordName)")
    try await database.modifyRecords(saving: [root, share], deleting: [])
    let saved = try await database.record(for: share.recordID)
    guard let url = URL(string: saved.shareInfo?.url ?? "") else { return }
    let account = try kenji()
    try await account.accept(account.shareMetadata(for: url))
  }

  private mutating func importOther(_ zoneID: ZoneID) throws {
    let path = folder.path("other")
    let writer = try BundleWriter(path: path, container: ContainerInfo())
    let others = (random.chance(2) ? [zoneID] : [zoneID, random.pick(zones)])
    for zoneID in Set(others).sorted() {
      try writer.write(RecordZone(zoneID: zoneID), database: .private)
    }
    for zoneID in Set(others).sorted() {
      for index in 0..<random.below(4) {
        try write(3 * index + random.below(3), in: zoneID, to: writer)
      }
    }
    if random.chance(3) {
      try writer.write(
        Tombstone(
          recordID: RecordID(recordName: "r9\(random.below(2))", zoneID: zoneID),
          recordChangeTag: tag()), database: .private)
    }
    let deleted = random.pick(zones)
    if random.chance(6), !others.contains(deleted) {
      try writer.write(ZoneTombstone(zoneID: deleted), database: .private)
      hasDeletedZones = true
    }
    try writer.finish()
    var archiver = Archiver()
    archiver.conflictPolicy = random.chance(2) ? .replace : .keep
    log.append("import into \(others) \(archiver.conflictPolicy)")
    hasMerged = true
    try archiver.importBundle(BundleReader(path: path), into: container)
    _ = try container.store.verify { Issue.record("\(kind) seed \(seed), import: \($0)") }
  }

  mutating func copy() async throws {
    generation += 1
    log.append("copy")
    let (first, second) = (folder.path("first"), folder.path("second"))
    let before = try DatabaseScope.allCases.map { scope in
      try container.store.snapshot { try $0.lastChange(in: scope) }
    }
    try Archiver().export(container, to: first)
    let copy = try MockContainer.inMemory()
    try Archiver().importBundle(BundleReader(path: first), into: copy)
    try Archiver().export(copy, to: second)
    #expect(
      FileManager.default.contents(atPath: first) == FileManager.default.contents(atPath: second),
      "\(kind) seed \(seed)")
    _ = try copy.store.verify { Issue.record("\(kind) seed \(seed): \($0)") }
    #expect(try BundleReader(path: first).verify().isIntact, "\(kind) seed \(seed)")
    let after = try DatabaseScope.allCases.map { scope in
      try copy.store.snapshot { try $0.lastChange(in: scope) }
    }
    #expect(before[1...].max() ?? 0 <= after[1...].max() ?? 0, "\(kind) seed \(seed): last change")
    container = copy
  }

  mutating func check() async throws {
    var expected: [RecordID: String] = [:]
    var expectedZones: Set<ZoneID> = []
    try container.store.snapshot { snapshot in
      for zone in try snapshot.zones(in: .private) where !zone.zoneID.isDefault {
        expectedZones.insert(zone.zoneID)
      }
      try snapshot.forEachRecord(in: .private, filter: RecordFilter(zoneIDs: expectedZones)) {
        expected[$0.recordID] = SlowReader.text(of: $0)
      }
    }
    for index in readers.indices {
      try await readers[index].finish(database, &random)
      let place: Comment = "\(kind) seed \(seed), reader \(index), generation \(generation)"
      #expect(readers[index].records == expected, place)
      #expect(readers[index].zones == expectedZones, place)
      #expect(hasDeletedZones || readers[index].expired == 0, place)
    }
    let shared = try kenji().sharedCloudDatabase
    var fresh = SlowReader()
    try await fresh.finish(shared, &random)
    for index in sharedReaders.indices {
      try await sharedReaders[index].finish(shared, &random)
      let place: Comment = "\(kind) seed \(seed), shared \(index), generation \(generation)"
      #expect(sharedReaders[index].records == fresh.records, place)
      #expect(sharedReaders[index].zones == fresh.zones, place)
    }
    if ProcessInfo.processInfo.environment["RECORDPACK_ATTACK_LOG"] != nil {
      print(log.joined(separator: "\n"))
    }
  }
}
