import Foundation
import RecordPack
import Testing

/// The code of the articles of RecordStore and RecordMigration, run.
struct ContainerSnippetTests {
  @Test("a container, a record, and what is in it")
  func container() throws {
    let folder = try TestFolder()
    let containerPath = folder.path("chat.container")
    let container = try ContainerStore.open(path: containerPath, mode: .create)
    let chats = RecordZone(zoneName: "Chats")
    var message = DraftRecord(recordType: "Message", zoneID: chats.zoneID)
    message["text"] = "Hello"
    let saved = try container.transaction { transaction in
      try transaction.save(chats, in: .private)
      return try transaction.save([message], in: .private)[0]
    }
    print(saved.recordChangeTag ?? "")

    try container.snapshot { snapshot in
      try snapshot.forEachRecord(in: .private, filter: RecordFilter(recordTypes: ["Message"])) {
        print($0)
      }
    }
    #expect(saved["text"] as? String == "Hello")
  }

  @Test("a migration of one record")
  func migration() throws {
    var draft = DraftRecord(recordType: "Chat", recordID: RecordID(recordName: "hiking"))
    draft["count"] = "many"
    let record = try draft.resultRecord()
    let migration = Migration(from: "1", to: "2") {
      MigrationStep("Message", .renameField("text", to: "body"))
      MigrationStep(
        "Chat", .convert("count", Conversion(to: .int64, from: .string)),
        misfit: .keep(in: "countText"))
    }
    let migrator = try Migrator([migration])
    let records = try migrator.migrate(record)
    #expect(records.map { $0["countText"] as? String } == ["many"])
  }
}
