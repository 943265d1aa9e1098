import CloudInterface
import MockCloud
import RecordModel
import Testing

/// Several readers that fetch changes at random times, in pages of random sizes, while records and
/// zones are saved and deleted: what a reader has gathered is what the database has.
struct ChangeFeedModelTests {
  @Test(
    "every reader's changes lead to what the database has", arguments: ServerModelTests.seeds)
  func readers(seed: UInt64) async throws {
    var random = SeededGenerator(seed &+ 1_000_000)
    var rules = ServerRules.native
    rules.maxResults = 1 + random.below(7)
    rules.firstFetchHasDeletions = random.chance(2)
    rules.defaultZoneCascade = .atOnce
    let database = try await makeDatabase(rules: rules)
    try await database.modifyRecordZones(
      saving: RandomRequest.zones.map { RecordZone(zoneID: $0) }, deleting: [])
    var history: [RecordID: [ResultRecord]] = [:]
    var readers = [FeedReader](repeating: FeedReader(), count: 3)
    for number in 0..<12 {
      if random.chance(8) { try await changeZone(of: database, &random) }
      let request = RandomRequest(history, &random)
      let answer = try await database.modifyRecords(
        saving: request.drafts, deleting: request.deletions, savePolicy: request.policy,
        atomically: request.atomically)
      for (recordID, result) in answer.saveResults {
        if case .success(let record) = result { history[recordID, default: []].append(record) }
      }
      for index in readers.indices where random.chance(2) {
        try await readers[index].read(database, pages: 1 + random.below(3), &random)
      }
      let index = random.below(3)
      try await readers[index].readAll(database, &random)
      let found = readers[index].records
      let expected = try await contents(of: database)
      #expect(found == expected, "seed \(seed), request \(number), reader \(index)")
    }
  }

  private func changeZone(
    of database: MockDatabase, _ random: inout SeededGenerator
  ) async throws {
    let zoneID = random.pick(RandomRequest.zones.filter { !$0.isDefault })
    if random.chance(3) {
      try await database.container.purgeRecordZone(withID: zoneID)
    } else {
      try await database.deleteRecordZone(withID: zoneID)
    }
    // The readers may see that it is gone, or only the new one.
    try await database.save(RecordZone(zoneID: zoneID))
  }

  /// The records of all zones that have changes.
  private func contents(of database: MockDatabase) async throws -> [RecordID: ResultRecord] {
    var records: [RecordID: ResultRecord] = [:]
    for record in try await database.records(ofType: "Note")
    where !record.recordID.zoneID.isDefault {
      records[record.recordID] = record
    }
    return records
  }
}
