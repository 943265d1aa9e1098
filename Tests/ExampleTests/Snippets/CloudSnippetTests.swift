import Foundation
import RecordPack
import Testing

/// The code of the articles and doc comments of CloudInterface and MockCloud, run.
struct CloudSnippetTests {
  @Test("a conflict with another device")
  func conflict() async throws {
    let container = try MockContainer.inMemory()
    let database = container.privateCloudDatabase
    try await database.save(RecordZone(zoneName: "Chats"))

    var message = DraftRecord(recordType: "Message", zoneID: ZoneID(zoneName: "Chats"))
    message["text"] = "Hello"
    let saved = try await database.save(message)

    // Another device changes the message meanwhile.
    var theirs = DraftRecord(saved)
    theirs["text"] = "Hello, you"
    try await database.save(theirs)

    var mine = DraftRecord(saved)
    mine["text"] = "Hello, all"
    do {
      try await database.save(mine)
    } catch CloudError.serverRecordChanged {
      print("The message was changed on another device.")
    }
    #expect(try await database.record(for: saved.recordID)["text"] == "Hello, you")
  }

  @Test("a container in memory")
  func container() async throws {
    let container = try MockContainer.inMemory()
    let database = container.privateCloudDatabase
    var note = DraftRecord(recordType: "Note")
    note["title"] = "Hello"
    let saved = try await database.save(note)
    #expect(saved["title"] == "Hello")
    let store = NoteStore(container: container)
    #expect(try await store.note(named: saved.recordID.recordName) == saved)
  }
}

struct NoteStore {
  let container: any CloudContainer

  func note(named name: String) async throws -> ResultRecord {
    let database = container.privateCloudDatabase
    return try await database.record(for: RecordID(recordName: name))
  }
}
