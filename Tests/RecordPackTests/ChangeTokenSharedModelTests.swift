import Foundation
import RecordPack
import TestSupport
import Testing

/// Two users who share with each other, and slow readers of all their databases, while the container
/// is exported and imported at random.
@Suite("Change tokens of shared databases")
struct ChangeTokenSharedModelTests {
  private static let seeds: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    let first = UInt64(environment["RECORDPACK_ATTACK_FIRST"] ?? "") ?? 0
    return first..<(first + (UInt64(environment["RECORDPACK_ATTACK_SEEDS"] ?? "") ?? 6))
  }()

  @Test("end with what the users see in the copy", arguments: seeds)
  func shared(seed: UInt64) async throws {
    var simulation = try await SharedSimulation(seed)
    for _ in 0..<4 {
      for _ in 0..<(15 + Int(seed % 25)) { try await simulation.act() }
      try await simulation.copy()
      for _ in 0..<4 { try await simulation.act() }
      if seed.isMultiple(of: 3) { try await simulation.check() }
    }
    try await simulation.check()
  }
}

/// What a client knows, by the rules of the change feed.
private struct ShareReader {
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
        self = ShareReader(readsPages: readsPages)
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

private struct SharedSimulation {
  private var container: MockContainer
  private var random: SeededGenerator
  /// Of the private and the shared database of each user.
  private var readers: [[ShareReader]]
  private let folder: TestFolder
  private let seed: UInt64
  private var number = 0
  private var generation = 0
  private let users = ["_mira", "_kenji"]
  private let zones = ["A", "B"].map { ZoneID(zoneName: $0) }

  init(_ seed: UInt64) async throws {
    self.seed = seed
    random = SeededGenerator(seed &* 17 &+ 3)
    folder = try TestFolder()
    readers = (0..<4).map { _ in [ShareReader(), ShareReader(readsPages: false)] }
    container = try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_mira"))
    for user in users { _ = try container.account(user) }
    for user in users {
      for zoneID in zones {
        try await container.account(user).privateCloudDatabase.save(RecordZone(zoneID: zoneID))
      }
    }
  }

  private func database(_ index: Int) throws -> MockDatabase {
    let account = try container.account(users[index / 2])
    return index.isMultiple(of: 2) ? account.privateCloudDatabase : account.sharedCloudDatabase
  }

  mutating func act() async throws {
    number += 1
    let user = random.below(2)
    let database = try database(2 * user)
    let zoneID = random.pick(zones)
    let recordID = RecordID(recordName: "r\(random.below(6))", zoneID: zoneID)
    do {
      switch random.below(16) {
      case 0...3: try await save(recordID, database)
      case 4: try await database.deleteRecord(withID: recordID)
      case 5 where random.chance(4): try await database.deleteRecordZone(withID: zoneID)
      case 6: try await database.save(RecordZone(zoneID: zoneID))
      case 7, 8: try await share(recordID, user)
      case 9:
        try await database.deleteRecord(
          withID: RecordID(recordName: "share-\(recordID.recordName)", zoneID: zoneID))
      case 10 where random.chance(2): try await shareZone(zoneID, user)
      default:
        let index = random.below(4)
        let which = random.below(2)
        let database = try self.database(index)
        if random.chance(2) {
          try await readers[index][which].page(of: database, &random)
        } else {
          try await readers[index][which].zonePage(of: database, &random)
        }
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

  private func invited(_ user: Int) -> ShareParticipant {
    ShareParticipant(
      permission: .readOnly, userIdentity: UserIdentity(userRecordName: users[1 - user]))
  }

  private mutating func share(_ recordID: RecordID, _ user: Int) async throws {
    let database = try database(2 * user)
    var root = DraftRecord(try await database.record(for: recordID))
    let share = DraftRecord(
      sharing: &root, participants: [invited(user)], recordName: "share-\(recordID.recordName)")
    try await database.modifyRecords(saving: [root, share], deleting: [])
    try await accept(share.recordID, user)
  }

  private mutating func shareZone(_ zoneID: ZoneID, _ user: Int) async throws {
    let database = try database(2 * user)
    let share = DraftRecord(sharingZone: zoneID, participants: [invited(user)])
    try await database.modifyRecords(saving: [share], deleting: [])
    try await accept(share.recordID, user)
  }

  private func accept(_ recordID: RecordID, _ user: Int) async throws {
    let saved = try await database(2 * user).record(for: recordID)
    guard let url = URL(string: saved.shareInfo?.url ?? "") else { return }
    let account = try container.account(users[1 - user])
    try await account.accept(account.shareMetadata(for: url))
  }

  mutating func copy() async throws {
    generation += 1
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
    for index in readers.indices {
      let database = try database(index)
      var fresh = ShareReader()
      try await fresh.finish(database, &random)
      if ProcessInfo.processInfo.environment["RECORDPACK_ATTACK_LOG"] != nil {
        print("database", index, "records", fresh.records.count, readers[index].map(\.expired))
      }
      for which in readers[index].indices {
        try await readers[index][which].finish(database, &random)
        let place: Comment =
          "seed \(seed), database \(index), reader \(which), generation \(generation)"
        #expect(readers[index][which].records == fresh.records, place)
        #expect(readers[index][which].zones == fresh.zones, place)
      }
    }
  }
}
