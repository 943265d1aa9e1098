import RecordPack
import TestSupport
import Testing

/// Two users who share with each other, and slow readers of all their databases, while the container
/// is exported and imported at random.
@Suite("Change tokens of shared databases")
struct ChangeTokenSharedModelTests {
  @Test("end with what the users see in the copy", arguments: SeededGenerator.seeds(6))
  func shared(seed: UInt64) async throws {
    var simulation = try await SharingSimulation(seed)
    for _ in 0..<4 {
      for _ in 0..<(15 + Int(seed % 25)) { try await simulation.act() }
      try simulation.copy()
      for _ in 0..<4 { try await simulation.act() }
      if !seed.isMultiple(of: 3) { try await simulation.check() }
    }
    try await simulation.check()
  }
}

private struct SharingSimulation {
  private let seed: UInt64
  private var random: SeededGenerator
  private let folder: TestFolder
  private var container: MockContainer
  /// Those of the private and the shared database of each user.
  private var readers: [[SlowReader]]
  private var number = 0
  private var generation = 0
  private let users = ["_mira", "_kenji"]
  private let zones = ["A", "B"].map { ZoneID(zoneName: $0) }

  init(_ seed: UInt64) async throws {
    self.seed = seed
    random = SeededGenerator(seed &* 17 &+ 3)
    folder = try TestFolder()
    readers = (0..<4).map { _ in [SlowReader(), SlowReader(readsPages: false)] }
    container = try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_mira"))
    for user in users {
      let database = try container.account(user).privateCloudDatabase
      for zoneID in zones { try await database.save(RecordZone(zoneID: zoneID)) }
    }
  }

  private var place: Comment { "seed \(seed), generation \(generation)" }

  private func account(_ user: Int) throws -> MockAccount { try container.account(users[user]) }

  private func database(_ index: Int) throws -> MockDatabase {
    let account = try account(index / 2)
    return index.isMultiple(of: 2) ? account.privateCloudDatabase : account.sharedCloudDatabase
  }

  mutating func act() async throws {
    number += 1
    let user = random.below(2)
    let (mine, other) = (try account(user), try account(1 - user))
    let database = mine.privateCloudDatabase
    let zoneID = random.pick(zones)
    let recordID = RecordID(recordName: "r\(random.below(6))", zoneID: zoneID)
    do {
      switch random.below(16) {
      case 0...3: try await save(recordID, database)
      case 4: try await database.deleteRecord(withID: recordID)
      case 5 where random.chance(4): try await database.deleteRecordZone(withID: zoneID)
      case 6: try await database.save(RecordZone(zoneID: zoneID))
      case 7, 8: try await mine.share(recordID, with: other)
      case 9:
        try await database.deleteRecord(
          withID: RecordID(recordName: "share-\(recordID.recordName)", zoneID: zoneID))
      case 10 where random.chance(2): try await mine.shareZone(zoneID, with: other)
      default:
        let (index, which) = (random.below(4), random.below(2))
        try await readers[index][which].read(self.database(index), &random)
      }
    } catch is CloudError {
      // What does not exist cannot be changed.
    }
  }

  private mutating func save(_ recordID: RecordID, _ database: MockDatabase) async throws {
    var draft = DraftRecord(recordType: random.chance(4) ? "Other" : "Note", recordID: recordID)
    if let stored = try? await database.record(for: recordID) { draft = DraftRecord(stored) }
    draft["text"] = "\(number)"
    let parent = RecordID(recordName: "r\(random.below(3))", zoneID: recordID.zoneID)
    if random.chance(3), parent != recordID {
      draft.parent = Reference(recordID: parent, action: .none)
    } else if random.chance(3) {
      draft.parent = nil
    }
    try await database.modifyRecords(saving: [draft], deleting: [], savePolicy: .allKeys)
  }

  /// Goes on with a copy of the container.
  mutating func copy() throws {
    generation += 1
    container = try container.checkedCopy(by: folder.path("copy"), place)
  }

  /// Expects that all readers end with what a new one reads.
  mutating func check() async throws {
    for index in readers.indices {
      let database = try database(index)
      var fresh = SlowReader()
      try await fresh.readAll(database, &random)
      for which in readers[index].indices {
        try await readers[index][which].readAll(database, &random)
        let place: Comment = "\(place), database \(index), reader \(which)"
        #expect(readers[index][which].records == fresh.records, place)
        #expect(readers[index][which].zones == fresh.zones, place)
      }
    }
  }
}
