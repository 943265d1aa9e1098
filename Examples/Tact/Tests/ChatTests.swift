import Foundation
import RecordPackTesting
import Testing

private let zoneID = ZoneID(zoneName: "Chats")

/// Tests of a chat app, with chats that `Examples/Tact/fixtures` has made.
@Suite("Chats", .container("Fixtures/Chats.recordpack", in: .module))
struct ChatTests {
  private let database: MockDatabase

  init() throws { database = try MockContainer.current.privateCloudDatabase }

  @Test("have the messages that refer to them")
  func messages() async throws {
    let chats = try await database.records(ofType: "Chat", inZoneWith: zoneID)
    #expect(chats.count == 12)
    var count = 0
    for chat in chats {
      let own = Reference(recordID: chat.recordID)
      let query = RecordQuery(
        recordType: "Message", filters: [QueryField("relatedRecords").contains(own)])
      let messages = try await database.records(matching: query, inZoneWith: zoneID)
        .matchResults.map { try $0.1.get() }
      #expect(messages.allSatisfy { $0.parent?.recordID == chat.recordID })
      #expect(messages.allSatisfy { $0.creationDate! > chat.creationDate! })
      count += messages.count
    }
    #expect(try await database.records(ofType: "Message", inZoneWith: zoneID).count == count)
  }

  @Test("lose their messages and reactions when they are deleted, and no others")
  func deletion() async throws {
    let messages = try await database.records(ofType: "Message", inZoneWith: zoneID)
    let reactions = try await database.records(ofType: "Reaction", inZoneWith: zoneID)
    let chat = try #require(messages.first?.parent).recordID
    try await database.deleteRecord(withID: chat)
    let left = messages.filter { $0.parent?.recordID != chat }
    let found = try await database.records(ofType: "Message", inZoneWith: zoneID)
    #expect(Set(found.map(\.recordID)) == Set(left.map(\.recordID)))
    let ids = Set(left.map(\.recordID))
    let others = reactions.filter { $0.parent.map { ids.contains($0.recordID) } ?? false }
    #expect(
      try await database.records(ofType: "Reaction", inZoneWith: zoneID).count == others.count)
  }
}

/// The chat of one customer, cut out and anonymised.
@Suite("A long chat", .container("Fixtures/LongChat.recordpack", in: .module))
struct LongChatTests {
  @Test("is whole: every reference in it holds")
  func references() async throws {
    let database = try MockContainer.current.privateCloudDatabase
    var all: [ResultRecord] = []
    for type in ["Chat", "Message", "Reaction"] {
      all += try await database.records(ofType: type, inZoneWith: zoneID)
    }
    let ids = Set(all.map(\.recordID))
    #expect(all.count { $0.recordType == "Chat" } == 1 && all.count > 20)
    for record in all {
      if let parent = record.parent { #expect(ids.contains(parent.recordID)) }
      let related: [Reference] = record["relatedRecords"] ?? []
      #expect(related.allSatisfy { ids.contains($0.recordID) })
    }
  }

  @Test("has no text, name or date of the chats that it was cut from")
  func values() async throws {
    func values(_ container: MockContainer) async throws -> Set<RecordValue> {
      let database = container.privateCloudDatabase
      let chats = try await database.records(ofType: "Chat", inZoneWith: zoneID)
      let messages = try await database.records(ofType: "Message", inZoneWith: zoneID)
      let names = ["text", "title", "memberNames", "sentAt"]
      return Set(
        (chats + messages).flatMap(\.fields).filter { names.contains($0.name) }.map(\.value))
    }
    let chats = try #require(
      Bundle.module.url(forResource: "Chats", withExtension: "recordpack", subdirectory: "Fixtures")
    )
    let original = try await values(.fixture(at: chats))
    let found = try await values(.current)
    #expect(found.count > 20 && found.isDisjoint(with: original))
  }
}
