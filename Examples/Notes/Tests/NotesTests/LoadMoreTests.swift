import Notes
import RecordPackTesting
import Testing

struct LoadMoreTests {
  private static let zone = ZoneID(zoneName: "Chats")

  private static func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: zone) }

  /// 300 messages with a reaction each, and one reaction to two messages.
  private func makeDatabase(_ rules: ServerRules) async throws -> MockDatabase {
    let database = try MockContainer.inMemory(rules: rules).privateCloudDatabase
    try await database.save(RecordZone(zoneID: Self.zone))
    var drafts: [DraftRecord] = []
    for number in 0..<300 {
      drafts.append(DraftRecord(recordType: "Message", recordID: Self.id("message-\(number)")))
      var reaction = DraftRecord(recordType: "Reaction", recordID: Self.id("reaction-\(number)"))
      let targets = number == 0 ? [0, 299] : [number]
      reaction["relatedRecords"] = targets.map { Reference(recordID: Self.id("message-\($0)")) }
      drafts.append(reaction)
    }
    for start in stride(from: 0, to: drafts.count, by: 400) {
      try await database.modifyRecords(
        saving: Array(drafts[start..<min(start + 400, drafts.count)]), deleting: [])
    }
    return database
  }

  @Test(
    "the reactions to 300 messages are loaded, whatever the server says to many references",
    arguments: [
      QueryRules.ReferenceFailure.serverRejectedRequest, .serviceUnavailable,
      .requestRateLimited(retryAfter: 30),
    ])
  func halving(failure: QueryRules.ReferenceFailure) async throws {
    var rules = ServerRules.native
    rules.queries.maxReferenceValues = 20
    rules.queries.referenceFailure = failure
    let database = try await makeDatabase(rules)
    var loader = LoadMore(database: database, zoneID: Self.zone)
    loader.wait = { #expect($0 == 30) }
    let messages = (0..<300).map { Self.id("message-\($0)") }
    let found = try await loader.records(
      ofType: "Reaction", whose: "relatedRecords", contains: messages)
    #expect(found.count == 300)
    #expect(Set(found.map(\.recordID.recordName)) == Set((0..<300).map { "reaction-\($0)" }))
    let some = try await loader.records(
      ofType: "Reaction", whose: "relatedRecords", contains: Array(messages.suffix(2)))
    #expect(Set(some.map(\.recordID.recordName)) == ["reaction-0", "reaction-298", "reaction-299"])
  }
}
