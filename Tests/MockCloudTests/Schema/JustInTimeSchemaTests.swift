import CloudInterface
import Foundation
import MockCloud
import RecordCoding
import RecordModel
import RecordSchema
import Testing

/// What saves add to the schema in development. Sources: Apple's documentation of `CKRecord`; real
/// schemas; EVCloudKitDao #35; MistKit.
struct JustInTimeSchemaTests {
  @Test("the first value creates a field with all indexes that its type can have")
  func newField() async throws {
    let container = try await makeContainer(.development)
    let values: [(String, RecordValue, String)] = [
      ("a", .string("x"), "a STRING QUERYABLE SEARCHABLE SORTABLE"),
      ("b", .int64(1), "b INT64 QUERYABLE SORTABLE"),
      ("c", .double(1), "c DOUBLE QUERYABLE SORTABLE"),
      ("d", .timestamp(testDate), "d TIMESTAMP QUERYABLE SORTABLE"),
      ("e", .bytes(Data("x".utf8)), "e BYTES QUERYABLE SORTABLE"),
      ("f", .location(Location(latitude: 1, longitude: 2)), "f LOCATION QUERYABLE"),
      ("g", .reference(Reference(recordID: id("x"))), "g REFERENCE QUERYABLE"),
      ("h", .asset(Asset(data: Data("x".utf8))), "h ASSET"),
      ("i", .stringList(["x"]), "i LIST<STRING> QUERYABLE SEARCHABLE"),
      ("j", .int64List([1]), "j LIST<INT64> QUERYABLE"),
    ]
    for (name, value, definition) in values {
      try await container.privateCloudDatabase.save(note(name, name, value))
      let field = try #require(try container.field(name))
      let text = ([field.name, "\(field.type)"] + field.options.keywords).joined(separator: " ")
      #expect(text == definition)
    }
    let secret = note("s", "hidden", .string("x"), isEncrypted: true)
    try await container.privateCloudDatabase.save(secret)
    #expect(try container.field("hidden") == CloudSchema.Field("hidden", .encrypted(.string)))
    #expect(try container.schemaText?.contains("// as written in the app") == true)
  }

  @Test("the first record creates its type, with system fields and the default grants")
  func newType() async throws {
    let container = try await makeContainer(.development, schema: nil)
    try await container.privateCloudDatabase.save(note("n", "text", .string("x")))
    let type = try #require(try container.schema.recordType(named: "Note"))
    #expect(type.grants == CloudSchema.Grant.defaults)
    #expect(type.userFields.map(\.name) == ["text"])
    #expect(type.field(named: "___recordID")?.options == [])
    #expect(try container.schema.recordType(named: "Users") != nil)
  }

  @Test("the first share creates the type of shares as CloudKit has it")
  func share() async throws {
    let container = try await makeContainer(.development, schema: nil)
    var root = DraftRecord(recordType: "Note", recordID: id("root"))
    let share = DraftRecord(sharing: &root, title: "Trip", recordName: "share")
    try await container.privateCloudDatabase.modifyRecords(saving: [root, share], deleting: [])
    let fields = try container.schema.recordType(named: Share.recordType)?.userFields.map(\.name)
    #expect(fields == ["cloudkit.thumbnailImageData", "cloudkit.title", "cloudkit.type"])
  }

  @Test("fields of the type Users are added to the one that every container has")
  func users() async throws {
    let container = try await makeContainer(.development, user: "_me")
    let draft = note("_me", in: .default, type: "Users", "nick", .string("x"))
    try await container.publicCloudDatabase.save(draft)
    #expect(try container.field("roles", of: "Users")?.type == .list(of: .int64))
    #expect(try container.field("nick", of: "Users")?.type == .string)
  }

  @Test("an empty list creates no field, because its type is not known")
  func emptyList() async throws {
    let container = try await makeContainer(.development)
    let before = try container.schemaText
    let error = await container.refusal(of: note("n", "links", .emptyList))
    #expect(error?.code == .invalidArguments)
    #expect(
      error?.message == "cannot use an empty list to initialize a new field (field 'links' in "
        + "record type 'Note' should be more precise)")
    #expect(try container.schemaText == before)
    // In the same request, the field exists for the records after its first value.
    let drafts = [note("a", "links", .stringList(["x"])), note("b", "links", .emptyList)]
    let answer = try await container.privateCloudDatabase.modifyRecords(
      saving: drafts, deleting: [])
    let isSaved = answer.saveResults.values.allSatisfy(\.isSuccess)
    #expect(isSaved)
    #expect(try container.field("links")?.type == .list(of: .string))
  }

  @Test("a later record of the request sees the fields of an earlier one")
  func withinRequest() async throws {
    let container = try await makeContainer(.development)
    let answer = try await container.privateCloudDatabase.modifyRecords(
      saving: [note("a", "new", .int64(1)), note("b", "new", .string("x"))], deleting: [],
      atomically: false)
    #expect(answer.saveResults[id("a")]?.isSuccess == true)
    #expect(
      answer.saveResults[id("b")]?.cloudError?.message == "invalid attempt to set value type "
        + "STRING for field 'new' for type 'Note', defined to be: INT64")
    #expect(try container.field("new")?.type == .int64)
  }

  @Test("a zone that fails because of a deletion adds nothing that another zone is judged by")
  func failedDeletion() async throws {
    let container = try await makeContainer(.development)
    let (database, archive) = (container.privateCloudDatabase, ZoneID(zoneName: "Archive"))
    try await database.save(RecordZone(zoneID: archive))
    try await database.modifyRecords(
      saving: [note("parent"), note("child", below: "parent")], deleting: [])
    var (first, second) = (note("a"), note("b", in: archive))
    first["new"] = "text"
    second["new"] = 1
    let answer = try await database.modifyRecords(
      saving: [first, second], deleting: [id("parent")])
    #expect(answer.deleteResults[id("parent")]?.cloudError?.code == .referenceViolation)
    #expect(answer.saveResults[id("a")]?.cloudError?.code == .batchRequestFailed)
    let isSaved = answer.saveResults[id("b", in: archive)]?.isSuccess
    #expect(isSaved == true)
    let schema = try container.store.info().schema ?? ""
    #expect(schema.contains("INT64") && !schema.contains("STRING QUERYABLE SEARCHABLE SORTABLE"))
  }

  @Test("a removed field creates nothing, and what stays on the server is not judged")
  func notSent() async throws {
    let container = try await makeContainer(nil, schema: nil)
    try await container.privateCloudDatabase.save(note("n", "old", .string("x")))
    try container.store.setInfo(ContainerInfo(environment: .development, schema: noteSchema))
    let stored = try await container.privateCloudDatabase.record(for: id("n"))
    var draft = DraftRecord(stored)
    draft["text"] = "new"
    try await container.privateCloudDatabase.save(draft)
    #expect(try container.schemaText == noteSchema)
    var removal = DraftRecord(try await container.privateCloudDatabase.record(for: id("n")))
    removal["old"] = nil as String?
    try await container.privateCloudDatabase.save(removal)
    #expect(try container.schemaText == noteSchema)
  }

  @Test("a schema is written only by a request that adds to it")
  func unchanged() async throws {
    let container = try await makeContainer(.development)
    try await container.privateCloudDatabase.save(note("n", "text", .string("x")))
    #expect(try container.schemaText == noteSchema)
  }

  @Test("server-to-server calls create nothing")
  func serverToServer() async throws {
    var rules = ServerRules.native
    rules.justInTimeSchema = .refused
    let container = try await makeContainer(.development, rules: rules)
    let field = await container.refusal(of: note("n", "new", .int64(1)))
    #expect(field?.message == "Field new not found in Note")
    let type = await container.refusal(of: note("n", type: "Todo", "new", .int64(1)))
    #expect(type?.message == "Did not find record type: Todo")
    #expect(try container.schemaText == noteSchema)
    #expect(await container.refusal(of: note("n", "text", .string("x"))) == nil)
  }

  @Test("a container with neither schema nor environment judges nothing")
  func noSchema() async throws {
    let container = try await makeContainer(nil, schema: nil)
    #expect(await container.refusal(of: note("a", "x", .int64(1))) == nil)
    #expect(await container.refusal(of: note("b", "x", .string("x"))) == nil)
    #expect(await container.refusal(of: note("c", "x", .emptyList)) == nil)
    #expect(try container.schemaText == nil)
  }

  @Test("a schema that cannot be parsed is told, and nothing is saved")
  func brokenSchema() async throws {
    let container = try await makeContainer(.development, schema: "DEFINE SCHEMA RECORD")
    await #expect(throws: SchemaError.self) {
      try await container.privateCloudDatabase.save(note("n", "text", .string("x")))
    }
    #expect(try container.privateCloudDatabase.names() == [])
  }

  @Test("a schema that other code replaces is judged by at once")
  func replaced() async throws {
    let container = try await makeContainer(.development)
    #expect(await container.refusal(of: note("n", "text", .int64(1))) != nil)
    let other = noteSchema.replacingOccurrences(of: "text      STRING", with: "text      INT64")
    try container.store.setInfo(ContainerInfo(environment: .development, schema: other))
    #expect(await container.refusal(of: note("n", "text", .int64(1))) == nil)
  }
}
