import Foundation
import RecordPack
import TestSupport
import Testing

/// The code of RecordCoding's article about records as structs.
struct TypedSnippetTests {
  struct Title: RecordDecodable {
    var recordID: RecordID
    var text: String?

    init(from record: inout RecordView) throws {
      recordID = record.recordID
      text = try record.string("title")
    }
  }

  /// The code of the comment of `RecordDecodable`.
  private enum Comment {
    struct Chat: RecordDecodable {
      var recordID: RecordID
      var title: String?
      var updatedAt: Date?

      init(from record: inout RecordView) throws {
        recordID = record.recordID
        title = try record.string("title")
        updatedAt = try record.date("updatedAt")
      }
    }
  }

  @Test("the code of a schema")
  func generating() throws {
    let schema = try SchemaDocument(
      parsing: "DEFINE SCHEMA RECORD TYPE Chat (title STRING);"
    ).validSchema()
    let source = SwiftSource(schema, SwiftSource.Options())
    for file in source.files { print(file.name, file.text.count) }
    #expect(source.files.count == 1)
    #expect(try Comment.Chat(Self.record()).title == "Hike")
  }

  private static func record() throws -> ResultRecord {
    var draft = DraftRecord(recordType: "Message", recordID: RecordID(recordName: "m-1"))
    draft["title"] = "Hike"
    draft.encryptedValues["text"] = "Hello"
    return try draft.resultRecord()
  }

  @Test("updating a draft")
  func updating() throws {
    let record = try Self.record()
    let message = try Message(record)
    var draft = DraftRecord(record)

    var changed = message
    changed.text = "Hello again"
    try changed.update(&draft)
    print(draft.changedKeys())  // ["text"]
    #expect(draft.changedKeys() == ["text"])
    #expect(try Title(record).text == "Hike")
  }

  @Test("reading a bundle")
  func reading() throws {
    let folder = try TestFolder()
    let writer = try BundleWriter(path: folder.path("a"), container: ContainerInfo())
    try writer.write(RecordZone(zoneID: .default), database: .private)
    try writer.write(Self.record(), database: .private)
    _ = try writer.finish()
    let bundle = try BundleReader(path: folder.path("a"))
    try bundle.forEach(Message.self) { message, database in
      print(database, message.recordID.recordName, message.text ?? "")
    }
    let names = Names()
    try bundle.concurrentlyForEach(Message.self) { message, _ in
      names.add(message.recordID.recordName)
    }
    try bundle.concurrentlyForEach(Chat.self) { chat, _ in names.add("chat") }
    #expect(names.all == ["m-1"])
  }

  private final class Names: @unchecked Sendable {
    private let lock = NSLock()
    private var names: [String] = []
    var all: [String] { lock.withLock { names } }
    func add(_ name: String) { lock.withLock { names.append(name) } }
  }
}
