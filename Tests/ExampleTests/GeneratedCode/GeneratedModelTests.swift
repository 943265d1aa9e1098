import Foundation
import RecordPack
import TestSupport
import Testing

/// The code in `Model`, which `recordpack schema generate` wrote:
///
/// ```
/// recordpack schema generate Schemas/Tact/v5.ckdb --swift Tests/ExampleTests/GeneratedCode/Model --system-fields
/// ```
@Suite("The generated model of Tact")
struct GeneratedModelTests {
  /// The same record with Swift's `Codable`.
  private struct CodableMessage: Codable, Equatable {
    @RecordIdentity var recordID: RecordID
    @Parent var parent: Reference?
    var chat: Reference?
    var photo: Asset?
    var relatedRecords: [Reference]?
    var sentAt: Date?
    @Encrypted var text: String?
  }

  private static func schema() throws -> CloudSchema {
    try SchemaDocument(
      parsing: String(
        contentsOfFile: TestSupport.Place.inPackage("Schemas/Tact/v5.ckdb"), encoding: .utf8)
    ).validSchema()
  }

  @Test("is what the schema gives")
  func isCurrent() throws {
    var options = SwiftSource.Options()
    options.hasSystemFields = true
    let source = SwiftSource(try Self.schema(), options)
    let folder = TestSupport.Place.inPackage("Tests/ExampleTests/GeneratedCode/Model")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names == source.files.map(\.name))
    for file in source.files {
      #expect(try String(contentsOfFile: folder + "/" + file.name, encoding: .utf8) == file.text)
    }
  }

  private static func record(_ draft: DraftRecord) -> ResultRecord {
    ResultRecord(systemFields: draft.systemFields, fields: draft.fields)
  }

  /// A bundle of generated records, with values that apps do not expect.
  private static func bundle(seed: UInt64, _ folder: TestFolder) throws -> BundleReader {
    let recipe = """
      recordpack-recipe: 1
      edge-cases: true
      types:
        Chat: {count: 20}
        Message: {parent: Chat, count: 8}
        Reaction: {parent: Message, count: 2}
      """
    let path = folder.path("\(seed).recordpack")
    try Generation(schema: schema(), recipe: FixtureRecipe(yaml: recipe), seed: seed)
      .write(to: path)
    return try BundleReader(path: path)
  }

  @Test("reads what the record has, as Codable does", arguments: SeededGenerator.seeds(3))
  func reads(seed: UInt64) throws {
    let folder = try TestFolder()
    let bundle = try Self.bundle(seed: seed, folder)
    var records: [ResultRecord] = []
    try bundle.forEachRecord(RecordFilter(recordTypes: ["Message"])) { record, _ in
      records.append(record)
    }
    var messages: [Message] = []
    try bundle.forEach(Message.self) { message, _ in messages.append(message) }
    #expect(messages.count == 160 && messages.map(\.recordID) == records.map(\.recordID))
    for (message, record) in zip(messages, records) {
      #expect(try Message(record) == message)
      #expect(message.chat == record["chat"])
      #expect(message.photo == record["photo"])
      #expect(message.relatedRecords == record["relatedRecords"])
      #expect(message.sentAt == record["sentAt"])
      #expect(message.text == record.encryptedValues["text"])
      #expect(message.parent == record.parent)
      #expect(message.recordChangeTag == record.recordChangeTag)
      #expect(message.creationDate == record.creationDate)
      #expect(message.creatorUserRecordID == record.creatorUserRecordID)
      #expect(message.modificationDate == record.modificationDate)
      #expect(message.lastModifiedUserRecordID == record.lastModifiedUserRecordID)
      let codable = try record.decode(CodableMessage.self)
      #expect(codable.recordID == message.recordID && codable.parent == message.parent)
      #expect(codable.chat == message.chat && codable.photo == message.photo)
      #expect(codable.relatedRecords == message.relatedRecords)
      #expect(codable.sentAt == message.sentAt && codable.text == message.text)
    }
  }

  @Test("an update changes what differs, and nothing else", arguments: SeededGenerator.seeds(3))
  func updates(seed: UInt64) throws {
    let folder = try TestFolder()
    var random = SeededGenerator(seed)
    try Self.bundle(seed: seed + 1000, folder).forEachRecord(
      RecordFilter(recordTypes: ["Message"])
    ) { record, _ in
      var message = try Message(record)
      var draft = DraftRecord(record)
      try message.update(&draft)
      #expect(draft.changedKeys().isEmpty)
      #expect(Self.record(draft) == record)
      var expected: [String] = []
      switch random.below(4) {
      case 0:
        message.text = (message.text ?? "") + "!"
        expected = ["text"]
      case 1:
        expected = message.sentAt == nil ? [] : ["sentAt"]
        message.sentAt = nil
      case 2:
        message.relatedRecords = (message.relatedRecords ?? []) + [Reference(record: record)]
        expected = ["relatedRecords"]
      default:
        message.parent = Reference(recordID: RecordID(recordName: "other"))
      }
      try message.update(&draft)
      #expect(draft.changedKeys() == expected)
      #expect(draft.parent == message.parent)
      for field in record.fields where !expected.contains(field.name) {
        #expect(draft.field(named: field.name) == field)
      }
      #expect(try Message(Self.record(draft)).text == message.text)
    }
  }

  @Test("a new record has the fields with their encryption")
  func newRecord() throws {
    let recordID = RecordID(recordName: "m-1", zoneID: ZoneID(zoneName: "Chats"))
    let chat = Reference(recordID: RecordID(recordName: "c-1", zoneID: recordID.zoneID))
    let message = Message(recordID: recordID, parent: chat, chat: chat, text: "Hello")
    let draft = try DraftRecord(message)
    #expect(draft.recordType == "Message" && draft.recordID == recordID && draft.parent == chat)
    #expect(draft.allKeys() == ["chat", "text"])
    #expect(draft.encryptedValues[Message.Field.text] == "Hello")
    #expect(draft[Message.Field.text] == nil)
  }

  @Test("a draft of another record, and a field with another encryption, are errors")
  func mismatches() throws {
    let message = Message(recordID: RecordID(recordName: "m-1"), text: "Hello")
    var other = DraftRecord(recordType: "Message", recordID: RecordID(recordName: "m-2"))
    let identity = #expect(throws: TypedRecordError.self) { try message.update(&other) }
    #expect(identity?.code == .identity)
    var chat = DraftRecord(recordType: "Chat", recordID: message.recordID)
    #expect(throws: TypedRecordError.self) { try message.update(&chat) }
    var plain = DraftRecord(recordType: "Message", recordID: message.recordID)
    plain[Message.Field.text] = "Hello"
    let encryption = #expect(throws: TypedRecordError.self) { try message.update(&plain) }
    #expect(encryption?.code == .encryption && encryption?.key == "text")
    let record = try plain.resultRecord()
    #expect(throws: TypedRecordError.self) { try Message(record) }
    #expect(throws: TypedRecordError.self) { try Chat(record) }
  }
}
