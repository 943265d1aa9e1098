import Foundation
import RecordCoding
import RecordPack
import RecordPages
import RecordPlatform
import Testing

/// The code in the doc comments of records, their encodings, schemas and migrations, run.
struct RecordCommentTests {
  @Test("drafts, results and system fields")
  func records() throws {
    var draft = DraftRecord(recordType: "Chat", zoneID: ZoneID(zoneName: "Chats"))
    draft["title"] = "Hiking club"
    draft.encryptedValues["note"] = "Meet at the station"
    print(draft.changedKeys())  // ["note", "title"]
    #expect(draft.changedKeys() == ["note", "title"])

    let record = try draft.resultRecord()
    let title: String? = record["title"]
    let isPinned: Bool = record["isPinned"] ?? false
    let note: String? = record.encryptedValues["note"]
    #expect(title == "Hiking club" && !isPinned && note == "Meet at the station")
    try change(record)
    try changeStored(record)
  }

  private func change(_ record: ResultRecord) throws {
    let systemFields = record.systemFields
    // … later, to change the record:
    var draft = DraftRecord(systemFields: systemFields)
    draft["title"] = "Hiking club 2025"
    #expect(draft.recordID == record.recordID)
  }

  private func changeStored(_ record: ResultRecord) throws {
    let stored = try record.systemFields.encodeSystemFields()
    // … later, to change the record:
    var draft = DraftRecord(systemFields: try SystemFields(decoding: stored))
    draft["title"] = "Hiking club 2025"
    #expect(draft.recordID == record.recordID)
  }

  @Test("queries and filters")
  func queries() throws {
    let chat = Reference(recordID: RecordID(recordName: "hiking"), action: .none)
    let yesterday = Date(timeIntervalSinceNow: -86_400)
    func fields() -> RecordQuery {
      let query = RecordQuery(
        recordType: "Message",
        filters: [QueryField("chat") == chat, QueryField.creationDate > yesterday])
      return query
    }
    func predicate() throws -> RecordQuery {
      let query = try RecordQuery(
        recordType: "Message", predicate: "chat = %@ AND sentAt > %@", chat, yesterday,
        sort: [QuerySort("sentAt", ascending: false)])
      return query
    }
    #expect(fields().filters.count == 2)
    #expect(try predicate().filters.count == 2)

    var filter = RecordFilter(databases: [.private], recordTypes: ["Chat", "Message"])
    filter.modifiedSince = Date(timeIntervalSinceNow: -86_400)
    #expect(filter != .all)
  }

  @Test("errors")
  func errors() throws {
    let draft = DraftRecord(recordType: "Chat")
    do {
      _ = try draft.resultRecord()
    } catch CloudError.limitExceeded {
      print("The record is too large.")
    } catch let error as CloudError {
      print(error.code.name, error.message)
    }

    func save() throws { throw CloudError(.zoneNotFound, "no zone") }
    var zones = 0
    func createZone() throws { zones += 1 }
    do {
      try save()
    } catch CloudError.zoneNotFound {
      try createZone()
    }
    #expect(zones == 1)
  }

  @Test("shares")
  func shares() async throws {
    let container = try MockContainer.inMemory()
    let kenji = ShareParticipant(
      userIdentity: UserIdentity(lookupInfo: .init(emailAddress: "kenji@example.com")))
    let database = container.privateCloudDatabase
    let chats = ZoneID(zoneName: "Chats")
    try await database.save(RecordZone(zoneID: chats))
    var chat = DraftRecord(recordType: "Chat", zoneID: chats)
    let share = DraftRecord(sharing: &chat, participants: [kenji])
    try await database.modifyRecords(saving: [chat, share], deleting: [])
    try await open(DraftRecord(try await database.record(for: share.recordID)), in: database)
  }

  private func open(_ draft: DraftRecord, in database: any CloudDatabase) async throws {
    var share = draft
    let guest = ShareParticipant.oneTimeURLParticipant()
    try share.addParticipant(guest)
    let saved = try await database.save(share)
    let link = saved.shareInfo?.oneTimeURL(for: guest.participantID ?? "")
    #expect(link != nil)

    share = DraftRecord(saved)
    try share.updateShare { $0.publicPermission = .readOnly }
    #expect(try await database.save(share).shareInfo?.publicPermission == .readOnly)
  }

  @Test("JSON")
  func json() throws {
    let record = try DraftRecord(recordType: "Chat").resultRecord()
    let buffer = ByteBuffer()
    try RecordJSONWriter().write(record, to: buffer)
    let json = String(decoding: buffer.bytes, as: UTF8.self)
    let lines = [Array(json.utf8)]
    let reader = RecordJSONReader()
    let records = try lines.map { line in
      try line.withUnsafeBytes { try reader.read($0) }
    }
    #expect(records == [record])
  }

  @Test("responses")
  func responses() throws {
    let folder = try TestFolder()
    let records = [try DraftRecord(recordType: "Chat").resultRecord()]
    let file = try #require(FileHandle(forWritingAtPath: folder.write([], as: "response.json")))
    let stream = try ResponseStream(.canopy) { try file.write(contentsOf: $0) }
    for record in records { try stream.append(record) }
    try stream.finish()
    for clause in stream.losses.clauses { print(clause) }

    let data = try Data(contentsOf: URL(filePath: folder.path("response.json")))
    #expect(try ResponseContents(data, dialect: .canopy).records.count == 1)
    try read(Data(#"{"records": [{"recordName": "a", "recordType": "Chat"}]}"#.utf8))
  }

  private func read(_ data: Data) throws {
    let dialect = ResponseDialect(rawValue: "cktool") ?? .webServices
    let contents = try ResponseContents(data, dialect: dialect)
    print(contents.records.count)
    #expect(contents.records.count == 1)
  }

  @Test("a response that cannot be read")
  func wrongResponse() throws {
    let data = Data(
      #"""
      {"records": [{
        "recordName": "hiking",
        "recordType": "Chat",
        "zoneID": {"zoneName": "Chats"},
        "fields": {"title": {"type": "INT64", "value": "Hiking club"}}
      }]}
      """#.utf8)
    let response = try ResponseContents(data)
    for error in response.unread {
      // byte 149, at records[0].fields.title.value: found the string "Hiking club",
      // expected a 64-bit integer
      print(error)
    }
    #expect(
      response.unread.map(\.description) == [
        "byte 149, at records[0].fields.title.value: found the string \"Hiking club\", "
          + "expected a 64-bit integer"
      ])
  }

  @Test("schemas")
  func schemas() throws {
    let bytes = Array("DEFINE SCHEMA RECORD TYPE Todo (title STRING);".utf8)
    let document = SchemaDocument(parsing: bytes, name: "CloudKit/schema.ckdb")
    let schema = try document.validSchema()
    let text = try SchemaPrinter().print(document.validSchema())
    #expect(text.contains("title STRING"))

    var draft = DraftRecord(recordType: "Todo")
    draft["order"] = 1
    let validator = RecordValidator(schema)
    for problem in validator.problems(in: draft, database: .private) { print(problem) }
    #expect(validator.problems(in: draft, database: .private).count == 1)

    let records = [try draft.resultRecord()]
    var census = RecordCensus(source: "Todo.recordpack")
    for record in records { try census.add(record, in: .private) }
    let result = SchemaInference().infer(from: census)
    print(SchemaPrinter().print(result.schema))
    #expect(SchemaPrinter().print(result.schema).contains("INT64"))
  }

  @Test("migrations")
  func migrations() throws {
    var message = DraftRecord(recordType: "Message")
    message["text"] = "Hello"
    let record = try message.resultRecord()
    let migration = Migration(from: "1", to: "2") {
      MigrationStep("Message", .renameField("text", to: "body"))
      MigrationStep("Message", .addField("kind", .constant(.string("text"))))
    }
    let migrator = try Migrator([migration])
    let records = try migrator.migrate(record)
    #expect(records.map { $0["body"] as String? } == ["Hello"])

    let expression = try RecordExpression("coalesce(nickname, 'nobody')")
    let value = try expression.value(for: record)
    #expect(String(describing: value).contains("nobody"))

    let merging = Migration(from: "2", to: "3") {
      MigrationStep("Message", .renameField("text", to: "body"))
      MigrationStep("Photo", .mergeTypes(into: "Attachment", discriminator: "kind"))
    }
    #expect(merging.steps.map(\.action.name) == ["rename-field", "merge-types"])
  }

  @Test("markup")
  func markup() {
    let (hint, text) = ("a hint", "<b>")
    let cell: HTML = "<td title=\"\(hint)\">\(text)</td>"
    #expect(cell.text == "<td title=\"a hint\">&lt;b&gt;</td>")
  }

  @Test("plans")
  func plans() throws {
    let folder = Place.inPackage("Schemas/Tact")
    let oldSchema = try MigrationDirectory.schema(at: folder + "/v1.ckdb")
    let newSchema = try MigrationDirectory.schema(at: folder + "/v2.ckdb")
    let draft = PlanDraft(from: oldSchema, named: "v1", to: newSchema, named: "v2")
    print(draft.yaml)
    #expect(draft.yaml.contains("recordpack-migration: 1"))
  }
}
