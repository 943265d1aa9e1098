import CloudInterface
import MockCloud
import RecordModel
import Testing

/// What production refuses. Sources: IceCream #164, TablePro #2226, Sodalite #45.
struct ProductionSchemaTests {
  private let fieldMessage =
    "Cannot create or modify field 'order' in record 'Note' in production schema"

  @Test("unknown fields and types are refused in the server's words, and nothing is saved")
  func unknown() async throws {
    let container = try await makeContainer(.production)
    let field = await container.refusal(of: note("n", "order", .int64(1)))
    #expect(field?.code == .invalidArguments)
    #expect(field?.message == fieldMessage)
    let type = await container.refusal(of: note("n", type: "Todo", "order", .int64(1)))
    #expect(type?.code == .invalidArguments)
    #expect(type?.message == "Cannot create new type Todo in production schema")
    let list = await container.refusal(of: note("n", "links", .emptyList))
    #expect(list?.message.hasPrefix("Cannot create or modify field 'links'") == true)
    #expect(try container.privateCloudDatabase.names() == [])
    #expect(try container.schemaText == noteSchema)
  }

  @Test("an atomic zone fails with one record; elsewhere each record fails by itself")
  func atomicity() async throws {
    let container = try await makeContainer(.production)
    let database = container.privateCloudDatabase
    let request = [
      note("good", "text", .string("x")), note("bad", "order", .int64(1)),
      note("here", in: .default, "text", .string("x")),
      note("there", in: .default, "order", .int64(1)),
    ]
    let answer = try await database.modifyRecords(saving: request, deleting: [])
    #expect(answer.saveResults[id("good")]?.cloudError?.code == .batchRequestFailed)
    #expect(answer.saveResults[id("bad")]?.cloudError?.message == fieldMessage)
    #expect(answer.saveResults[id("here", in: .default)]?.isSuccess == true)
    #expect(answer.saveResults[id("there", in: .default)]?.cloudError?.message == fieldMessage)
    #expect(try database.names() == ["here"])
  }

  @Test("a stored field that the schema does not have stays as long as it is not sent")
  func stored() async throws {
    let container = try await makeContainer(nil, schema: nil)
    let database = container.privateCloudDatabase
    try await database.save(note("n", "order", .int64(1)))
    try container.store.setInfo(ContainerInfo(environment: .production, schema: noteSchema))
    var draft = DraftRecord(try await database.record(for: id("n")))
    draft["text"] = "x"
    #expect(await container.refusal(of: draft) == nil)
    var all = DraftRecord(try await database.record(for: id("n")))
    all["text"] = "y"
    let answer = try await database.modifyRecords(
      saving: [all], deleting: [], savePolicy: .allKeys)
    #expect(answer.saveResults[id("n")]?.cloudError?.message == fieldMessage)
  }

  @Test("production without a schema has the type Users only")
  func empty() async throws {
    let container = try await makeContainer(.production, schema: nil, user: "_me")
    let type = await container.refusal(of: note("n", "text", .string("x")))
    #expect(type?.message == "Cannot create new type Note in production schema")
    let user = note("_me", in: .default, type: "Users", "roles", .int64List([1]))
    try await container.publicCloudDatabase.save(user)
  }

  @Test("a schema of an unknown environment counts as production's, or as a setting says")
  func unknownEnvironment() async throws {
    let container = try await makeContainer(nil)
    #expect(await container.refusal(of: note("n", "order", .int64(1)))?.message == fieldMessage)
    var rules = ServerRules.native
    rules.unknownEnvironment = .development
    let other = try await makeContainer(nil, rules: rules)
    #expect(await other.refusal(of: note("n", "order", .int64(1))) == nil)
    #expect(try other.field("order")?.type == .int64)
  }
}
