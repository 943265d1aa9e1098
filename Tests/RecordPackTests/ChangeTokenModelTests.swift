import Foundation
import RecordPack
import TestSupport
import Testing

/// Readers of the change feed of a container that is changed, exported and imported at random.
struct ChangeTokenModelTests {
  private static let seeds =
    0..<(UInt64(ProcessInfo.processInfo.environment["RECORDPACK_MODEL_SEEDS"] ?? "") ?? 12)

  @Test("readers that go on in copies of a container end with its records", arguments: seeds)
  func copies(seed: UInt64) async throws {
    var simulation = try Simulation(seed)
    for _ in 0..<4 {
      for _ in 0..<12 { try await simulation.act() }
      try simulation.copy()
      for _ in 0..<3 { try await simulation.act() }
      try await simulation.check()
    }
  }
}

/// A client that keeps what it has fetched, and its tokens.
private struct Reader {
  var records: [RecordID: String] = [:]
  var expired = 0
  private var token: ServerChangeToken?
  private var zoneTokens: [ZoneID: ServerChangeToken] = [:]
  private var changed: Set<ZoneID> = []

  /// Fetches the changed zones, and up to so many pages of their records.
  mutating func read(
    _ database: MockDatabase, pages: Int, _ random: inout SeededGenerator
  ) async throws {
    var moreComing = true
    while moreComing {
      do {
        let page = try await database.databaseChanges(
          since: token, resultsLimit: random.chance(2) ? nil : 1 + random.below(2))
        for deletion in page.deletions { forget(deletion.zoneID) }
        changed.formUnion(page.modifications.map(\.zoneID))
        (token, moreComing) = (page.changeToken, page.moreComing)
      } catch CloudError.changeTokenExpired {
        self = Reader(expired: expired + 1)
      }
    }
    var left = pages
    while left > 0, let zoneID = changed.sorted().first {
      left -= 1
      do {
        let page = try await database.recordZoneChanges(
          inZoneWith: zoneID, since: zoneTokens[zoneID], desiredKeys: nil,
          resultsLimit: random.chance(3) ? nil : 1 + random.below(4))
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
      }
    }
  }

  init(expired: Int = 0) { self.expired = expired }

  static func text(of record: ResultRecord) -> String { record["text"] ?? "" }

  private mutating func forget(_ zoneID: ZoneID) {
    zoneTokens[zoneID] = nil
    changed.remove(zoneID)
    records = records.filter { $0.key.zoneID != zoneID }
  }
}

private struct Simulation {
  private var container: MockContainer
  private var random: SeededGenerator
  private var readers = [Reader](repeating: Reader(), count: 3)
  private var sharedReaders = [Reader](repeating: Reader(), count: 2)
  private let folder: TestFolder
  private let seed: UInt64
  private var number = 0
  /// Whether a zone was made again under its name: its tokens are expired then.
  private var hasDeletedZones = false
  private let zones = ["A", "B", "C", "Quiet"].map { ZoneID(zoneName: $0) }

  init(_ seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed)
    folder = try TestFolder()
    container = try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_mira"))
    if seed.isMultiple(of: 2) { try load() }
    _ = try container.account("_kenji", emailAddress: "kenji@example.com")
  }

  /// Fills the container with what others wrote.
  private mutating func load() throws {
    let writer = try BundleWriter(path: folder.path("loaded"), container: ContainerInfo())
    for name in ["A", "B", "Quiet"] {
      try writer.write(RecordZone(zoneName: name), database: .private)
    }
    for name in ["A", "Quiet"] {
      let zoneID = ZoneID(zoneName: name)
      for number in 0..<random.below(7) { try write(number, in: zoneID, to: writer) }
    }
    try writer.write(
      Tombstone(recordID: RecordID(recordName: "r9", zoneID: zones[0])), database: .private)
    for name in ["C", "X", "Y"] {
      let zone = ZoneTombstone(zoneID: ZoneID(zoneName: name), reason: .purged)
      try writer.write(zone, database: .private)
    }
    try writer.finish()
    try Archiver().importBundle(BundleReader(path: folder.path("loaded")), into: container)
    #expect(try container.store.snapshot { try $0.history() } == nil)
  }

  private mutating func write(_ number: Int, in zoneID: ZoneID, to writer: BundleWriter) throws {
    let system = SystemFields(
      recordID: RecordID(recordName: "r\(number)", zoneID: zoneID), recordType: "Note",
      recordChangeTag: random.chance(3) ? nil : String(random.below(60), radix: 36))
    let text = Field(name: "text", value: .string("i\(self.number)"))
    try writer.write(ResultRecord(systemFields: system, fields: [text]), database: .private)
  }

  private var database: MockDatabase { container.privateCloudDatabase }

  private func kenji() throws -> MockAccount { try container.account("_kenji") }

  mutating func act() async throws {
    number += 1
    let zoneID = random.pick(Array(zones.prefix(3)))
    let recordID = RecordID(recordName: "r\(random.below(8))", zoneID: zoneID)
    do {
      switch random.below(14) {
      case 0...4: try await save(recordID)
      case 5, 6: try await database.deleteRecord(withID: recordID)
      case 7: try await database.save(RecordZone(zoneID: zoneID))
      case 8 where random.chance(3):
        if random.chance(2) {
          try await container.purgeRecordZone(withID: zoneID)
        } else {
          try await database.deleteRecordZone(withID: zoneID)
        }
        hasDeletedZones = true
      case 9: try await share(recordID)
      case 10 where random.chance(2): try importOther(zoneID)
      case 11:
        let index = random.below(sharedReaders.count)
        try await sharedReaders[index].read(
          kenji().sharedCloudDatabase, pages: random.below(3), &random)
      default:
        let index = random.below(readers.count)
        try await readers[index].read(database, pages: random.below(4), &random)
      }
    } catch is CloudError {
      // What does not exist cannot be changed.
    }
  }

  private mutating func save(_ recordID: RecordID) async throws {
    var draft = DraftRecord(recordType: "Note", recordID: recordID)
    draft["text"] = "\(number)"
    if random.chance(3) {
      draft.parent = Reference(
        recordID: RecordID(recordName: "r0", zoneID: recordID.zoneID), action: .none)
    }
    try await database.modifyRecords(
      saving: [draft], deleting: [], savePolicy: .allKeys)
  }

  private mutating func share(_ recordID: RecordID) async throws {
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

  /// Imports records of another container, whose tags mean nothing here.
  private mutating func importOther(_ zoneID: ZoneID) throws {
    guard try container.store.snapshot({ try $0.zone(zoneID, in: .private) }) != nil else { return }
    let writer = try BundleWriter(path: folder.path("other"), container: ContainerInfo())
    try writer.write(RecordZone(zoneID: zoneID), database: .private)
    for index in 0..<(1 + random.below(3)) {
      try write(3 * index + random.below(3), in: zoneID, to: writer)
    }
    try writer.finish()
    var archiver = Archiver()
    archiver.conflictPolicy = random.chance(2) ? .replace : .keep
    try archiver.importBundle(BundleReader(path: folder.path("other")), into: container)
  }

  /// Goes on with a copy of the container.
  mutating func copy() throws {
    let (first, second) = (folder.path("first"), folder.path("second"))
    try Archiver().export(container, to: first)
    let copy = try MockContainer.inMemory()
    try Archiver().importBundle(BundleReader(path: first), into: copy)
    try Archiver().export(copy, to: second)
    #expect(
      FileManager.default.contents(atPath: first) == FileManager.default.contents(atPath: second),
      "seed \(seed)")
    _ = try copy.store.verify { Issue.record("seed \(seed): \($0)") }
    container = copy
  }

  mutating func check() async throws {
    var expected: [RecordID: String] = [:]
    let filter = RecordFilter(zoneIDs: Set(zones))
    try container.store.snapshot { snapshot in
      try snapshot.forEachRecord(in: .private, filter: filter) {
        expected[$0.recordID] = Reader.text(of: $0)
      }
    }
    for index in readers.indices {
      try await readers[index].read(database, pages: .max, &random)
      #expect(readers[index].records == expected, "seed \(seed), reader \(index)")
      #expect(hasDeletedZones || readers[index].expired == 0, "seed \(seed), reader \(index)")
    }
    let shared = try kenji().sharedCloudDatabase
    var fresh = Reader()
    try await fresh.read(shared, pages: .max, &random)
    for index in sharedReaders.indices {
      try await sharedReaders[index].read(shared, pages: .max, &random)
      #expect(sharedReaders[index].records == fresh.records, "seed \(seed), shared \(index)")
    }
  }
}
