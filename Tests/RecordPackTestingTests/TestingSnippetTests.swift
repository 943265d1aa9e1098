import Foundation
import RecordPackTesting
import Testing

// The code of the module's pages.

@Suite(.container("Fixtures/Chats.recordpack"))
struct ReadingTests {
  @Test("opening a chat marks it as read")
  func opening() async throws {
    let database = try MockContainer.current.privateCloudDatabase
    let chat = RecordID(recordName: "chat-000000", zoneID: ZoneID(zoneName: "Chats"))
    var draft = DraftRecord(try await database.record(for: chat))
    draft["isRead"] = 1
    let saved = try await database.save(draft)
    #expect(saved["isRead"] == 1)
  }
}

struct TestingSnippetTests {
  @Test("a container in a line, and what differs")
  func lines() async throws {
    let container = try MockContainer.fixture("Fixtures/Chats.recordpack")
    let copy = try container.fork()
    let chat = RecordID(recordName: "chat-000000", zoneID: ZoneID(zoneName: "Chats"))
    let before = try await container.privateCloudDatabase.record(for: chat)
    let after = try await copy.privateCloudDatabase.record(for: chat)
    expectNoDifference(before, after, ignoring: [.recordChangeTag, .modified])
    expectNoDifference(container, copy, ignoringFields: ["lastOpened"])
  }

  @Test("a snapshot with a fixed time")
  func snapshot() async throws {
    let start = Date(timeIntervalSince1970: 1_767_225_600)
    let container = try MockContainer.fixture("Fixtures/Chats.recordpack", now: { start })
    let chat = RecordID(recordName: "chat-000000", zoneID: ZoneID(zoneName: "Chats"))
    var draft = DraftRecord(try await container.privateCloudDatabase.record(for: chat))
    draft["isRead"] = 1
    try await container.privateCloudDatabase.save(draft)
    expectSnapshot(container, matches: "Fixtures/Read.recordpack")
  }

  @Test("the container of the environment")
  func environment() throws {
    let environment = ProcessInfo.processInfo.environment
    let fixture = try MockContainer.fixture(environment: environment)
    #expect(fixture == nil)
  }
}
