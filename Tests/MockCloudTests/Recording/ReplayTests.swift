import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// Replaying: which recorded call answers, and what is said of one that does not.
struct ReplayTests {
  private func recording() async throws -> Recording {
    let container = RecordingContainer(FeedContainer())
    let database = container.privateCloudDatabase
    _ = try await container.accountStatus()
    _ = try await database.save(note("a"))
    _ = try await database.record(for: id("a"))
    _ = try await database.save(note("b"))
    return try container.recording()
  }

  private func replayError(_ body: () async throws -> Void) async -> RecordingError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? RecordingError
    }
  }

  @Test("in order, each call answers once, and the end is checked")
  func inOrder() async throws {
    let container = ReplayingContainer(try await recording())
    #expect(container.containerIdentifier == "iCloud.test")
    let database = container.privateCloudDatabase
    #expect(try await container.accountStatus() == .available)
    #expect(try await database.save(note("a")).recordChangeTag == "1")
    #expect(!container.isFinished)
    #expect(
      container.unusedCalls == [
        "records in the private database: Notes:a",
        "modifyRecords in the private database: save Notes:b",
      ])
    let unused = #expect(throws: RecordingError.self) { try container.finish() }
    #expect(
      unused?.description == """
        2 recorded calls were not made
          records in the private database: Notes:a
          modifyRecords in the private database: save Notes:b
        """)
    _ = try await database.record(for: id("a"))
    _ = try await database.save(note("b"))
    #expect(container.isFinished)
    try container.finish()
    let error = await replayError { _ = try await container.accountStatus() }
    #expect(error?.code == .noneLeft)
    #expect(error?.callNumber == 5)
    #expect(throws: RecordingError.self) { try container.finish() }
  }

  @Test("a call that differs is told with the place and both values, and is not an answer")
  func differs() async throws {
    let container = ReplayingContainer(try await recording())
    let database = container.privateCloudDatabase
    _ = try await container.accountStatus()
    var other = note("a", in: notes, "other text")
    other["more"] = Int64(1)
    let error = await replayError { _ = try await database.save(other) }
    #expect(error?.code == .differs)
    #expect(
      error?.description == """
        call 2 is not the next call of the recording
          found modifyRecords in the private database: save Notes:a
          expected modifyRecords in the private database: save Notes:a
          at saving[0].fields.text.value: found "other text", expected "text"
          at saving[0].fields.more: found an object, expected nothing
          at saving[0].changedKeys: found 2 items (more, text), expected 1 item (text)
        """)
    let another = await replayError { _ = try await database.allRecordZones() }
    #expect(
      another?.description == """
        call 3 is not the next call of the recording
          found allRecordZones in the private database
          expected modifyRecords in the private database: save Notes:a
        """)
    let elsewhere = await replayError {
      _ = try await container.sharedCloudDatabase.save(note("a"))
    }
    #expect(elsewhere?.code == .differs)
    #expect(try await database.save(note("a")).recordID == id("a"))
    #expect(container.errors.count == 3)
  }

  @Test("encrypted values and keys are in no message")
  func secrets() async throws {
    func draft(_ secret: String) -> DraftRecord {
      var draft = note("a")
      draft.encryptedValues["secret"] = "\(secret) is secret"
      draft.encryptedValues["secrets"] = ["\(secret) too", secret]
      draft["file"] = Asset(
        sha256: String(repeating: "a", count: 64), size: 1, wrappingKey: "key of \(secret)",
        receipt: "receipt of \(secret)", downloadURL: "https://example.com/\(secret)")
      return draft
    }
    let container = RecordingContainer(FeedContainer())
    _ = try await container.privateCloudDatabase.save(draft("mine"))
    let text = String(decoding: try #require(container.data), as: UTF8.self)
    #expect(text.contains("mine is secret"))
    for order in ReplayingContainer.Order.allCases {
      let replaying = ReplayingContainer(try container.recording(), order: order)
      let error = await replayError {
        _ = try await replaying.privateCloudDatabase.save(draft("yours"))
      }
      let message = try #require(error?.description)
      #expect(message.contains("fields.secret.value: found a hidden value"))
      #expect(message.contains("wrappingKey: found a hidden value"))
      #expect(!message.contains("mine") && !message.contains("yours"), "\(message)")
      // Also where one of them is not encrypted.
      var plain = note("a")
      plain["secret"] = "plain text"
      let mixed = await replayError { _ = try await replaying.privateCloudDatabase.save(plain) }
      let text = try #require(mixed?.description)
      #expect(!text.contains("mine") && !text.contains("plain text"), "\(text)")
    }
  }

  @Test("by matching, calls come in any order, each once")
  func matching() async throws {
    let container = ReplayingContainer(try await recording(), order: .matching)
    let database = container.privateCloudDatabase
    _ = try await database.save(note("b"))
    _ = try await container.accountStatus()
    let again = await replayError { _ = try await container.accountStatus() }
    #expect(again?.code == .noMatch)
    let error = await replayError { _ = try await database.record(for: id("x")) }
    #expect(
      error?.description == """
        call 4 is not in the recording, or was replayed before
          found records in the private database: Notes:x
          expected records in the private database: Notes:a
          at ids[0].recordName: found "x", expected "a"
        """)
    _ = try await database.record(for: id("a"))
    _ = try await database.save(note("a"))
    #expect(container.isFinished)
  }

  @Test("by matching repeatedly, the last answer is given again")
  func matchingRepeatedly() async throws {
    let container = ReplayingContainer(try await recording(), order: .matchingRepeatedly)
    for _ in 0..<5 { _ = try await container.accountStatus() }
    #expect(container.unusedCalls.count == 3)
  }

  @Test("by operation, arguments may differ")
  func operations() async throws {
    let container = ReplayingContainer(try await recording(), comparing: .operations)
    _ = try await container.accountStatus()
    let answer = try await container.privateCloudDatabase.modifyRecords(
      saving: [note("x")], deleting: [])
    #expect(Set(answer.saveResults.keys) == [id("a")])
  }

  @Test("results that are written by hand come in their order")
  func written() async throws {
    let saved = try note("a").resultRecord()
    let token = ServerChangeToken(data: Data([1]))
    let cursor = QueryCursor(data: Data([2]))
    let zone = RecordZone(zoneID: notes)
    let container = ReplayingContainer(
      results: [
        .accountStatus(.available), .userRecordID(id("me")),
        .records([saved], errors: [id("b"): CloudError(.unknownItem)]),
        .modify(saved: [saved], deleted: [id("c")], deleteErrors: [id("d"): CloudError(.zoneBusy)]),
        .failure(CloudError(.zoneBusy, retryAfter: 3)),
        .query([saved], cursor: cursor), .query([]),
        .recordZoneChanges([saved], token: token, moreComing: true),
        .databaseChanges([notes], deleted: [.init(zoneID: .default, reason: .purged)]),
        .zones([zone]), .zones([zone]), .modifyZones(saved: [zone], deleted: [notes]),
        .subscriptions([makeSubscription("s")]), .subscriptions([makeSubscription("s")]),
        .modifySubscriptions(saved: [makeSubscription("s")], deleted: ["t"]),
        .response(CloudResponse(accountStatus: .restricted), to: .accountStatus),
      ], containerIdentifier: "iCloud.written")
    let database = container.privateCloudDatabase
    #expect(container.containerIdentifier == "iCloud.written")
    #expect(try await container.accountStatus() == .available)
    #expect(try await container.userRecordID() == id("me"))
    let found = try await database.records(for: [id("a"), id("b")])
    #expect(try found[id("a")]?.get() == saved)
    #expect(found[id("b")]?.cloudError?.code == .unknownItem)
    let modified = try await database.modifyRecords(saving: [], deleting: [])
    #expect(modified.saveResults[id("a")]?.isSuccess == true)
    #expect(modified.deleteResults[id("c")]?.isSuccess == true)
    #expect(modified.deleteResults[id("d")]?.cloudError?.code == .zoneBusy)
    #expect(await cloudError { try await database.allRecordZones() }?.retryAfterSeconds == 3)
    let page = try await database.records(matching: RecordQuery(recordType: "Note"))
    #expect(page.queryCursor == cursor)
    #expect(try await database.records(continuingMatchFrom: cursor).matchResults.isEmpty)
    let changes = try await database.recordZoneChanges(inZoneWith: notes, since: nil)
    #expect(changes.changeToken == token && changes.moreComing)
    #expect(try await database.databaseChanges(since: nil).deletions.first?.reason == .purged)
    #expect(try await database.allRecordZones() == [zone])
    #expect(try await database.recordZone(for: notes) == zone)
    #expect(try await database.save(zone) == zone)
    #expect(try await database.allSubscriptions().count == 1)
    #expect(try await database.subscription(for: "s") == makeSubscription("s"))
    #expect(try await database.deleteSubscription(withID: "t") == "t")
    #expect(try await container.accountStatus() == .restricted)
    try container.finish()
  }

  @Test("a result of another operation is told, and stays")
  func otherResult() async throws {
    let container = ReplayingContainer(results: [.accountStatus(.available), .zones([])])
    let error = await replayError {
      _ = try await container.privateCloudDatabase.allRecordZones()
    }
    #expect(
      error?.description == """
        call 1 does not have the next result
          found allRecordZones in the private database
          expected a result of accountStatus
        """)
    #expect(try await container.accountStatus() == .available)
    #expect(container.unusedCalls == ["a result of allRecordZones or recordZones"])
  }
}
