import CloudInterface
import MockCloud
import RecordModel
import Testing

/// Checks of the server that only one test sees: Scripts/planted-faults turns each off.
@Suite("The server checks")
struct ServerCheckTests {
  @Test("that the zone of a current change token exists")
  func currentToken() async throws {
    let database = try await makeDatabase()
    _ = try await database.currentChangeToken(ofZone: notes)
    let missing = ZoneID(zoneName: "Missing")
    let error = await cloudError { try await database.currentChangeToken(ofZone: missing) }
    #expect(error?.code == .zoneNotFound)
  }

  @Test("that a token of a page of the newest changes is not used for the usual order")
  func newestToken() async throws {
    let database = try await makeDatabase()
    for name in ["a", "b"] { try await database.save(note(name)) }
    let page = try await database.newestChanges(inZoneWith: notes, since: nil, resultsLimit: 1)
    #expect(page.moreComing)
    let token = page.changeToken
    let error = await cloudError {
      try await database.recordZoneChanges(
        inZoneWith: notes, since: token, desiredKeys: nil, resultsLimit: nil)
    }
    #expect(error?.code == .changeTokenExpired)
  }

  @Test("that a query has a record type, and a text search a searchable field")
  func queries() async throws {
    let database = try await makeDatabase()
    let nameless = await cloudError {
      try await database.records(matching: RecordQuery(recordType: ""), inZoneWith: notes)
    }
    #expect(nameless?.message == "a query needs a record type")
    let schema = """
      DEFINE SCHEMA RECORD TYPE Note (
        "___recordID" REFERENCE QUERYABLE, text STRING QUERYABLE, GRANT READ TO "_world");
      """
    let container = try await makeContainer(.development, schema: schema)
    let query = RecordQuery(recordType: "Note", filters: [.allText(contains: "a")])
    let search = await cloudError {
      try await container.privateCloudDatabase.records(matching: query, inZoneWith: notes)
    }
    #expect(search?.message == "no field of 'Note' is marked searchable")
  }

  @Test("that a deletion with a change tag names the stored version")
  func deletionTags() async throws {
    let database = try await makeDatabase()
    let tag = try #require(try await database.save(note("a")).recordChangeTag)
    func delete(_ tag: String) async throws -> CloudError? {
      try await database.modifyRecords(
        [], deleting: [RecordDeletion(id("a"), recordChangeTag: tag)], atomically: false
      ).deleteResults[id("a")]?.cloudError
    }
    let refused = try await delete("0\(tag)")
    #expect(refused?.code == .serverRecordChanged)
    #expect(refused?.conflict?.serverRecord?.recordChangeTag == tag)
    #expect(try await delete(tag) == nil)
    #expect(try database.names() == [])
  }

  @Test("that no save creates a field with a name of the server's own")
  func managedFields() async throws {
    let container = try await makeContainer(.development)
    let database = container.privateCloudDatabase
    let error = await cloudError {
      try await database.save(note("a", "cloudkit.title", .string("x")))
    }
    #expect(error?.message == "field 'cloudkit.title' of record type 'Note' cannot be created")
    #expect(try container.field("cloudkit.title") == nil)
  }

  @Test("that a record does not change from one share to another")
  func otherShare() async throws {
    let database = try await makeDatabase(user: "_mira")
    var root = note("root")
    let first = DraftRecord(sharing: &root, recordName: "first")
    try await database.modifyRecords(saving: [root, first], deleting: [])
    root = DraftRecord(try await database.record(for: id("root")))
    let second = DraftRecord(sharing: &root, recordName: "second")
    let results = try await database.modifyRecords(
      saving: [root, second], deleting: [], atomically: false
    ).saveResults
    #expect(results[id("root")]?.cloudError?.code == .alreadyShared)
    #expect(try await database.record(for: id("root")).share?.recordID == id("first"))
  }

  @Test("that participants change neither the share of a record nor the parent of its root")
  func participants() async throws {
    let users = try await NoteUsers()
    try await users.share("root", "share", [participant("_kenji")])
    try await users.mira.save(note("child", below: "root"))
    let database = users.kenji.sharedCloudDatabase
    var root = DraftRecord(try await database.record(for: seen("root")))
    root.share = nil
    let unshared = await cloudError { try await database.save(root) }
    #expect(unshared?.code == .permissionFailure)
    #expect(unshared?.message.hasPrefix("the share of record") == true)
    root = DraftRecord(try await database.record(for: seen("root")))
    root.parent = Reference(recordID: seen("child"))
    let moved = await cloudError { try await database.save(root) }
    #expect(moved?.code == .permissionFailure)
    #expect(moved?.message.hasPrefix("the parent of") == true)
  }

  @Test("that nothing was shared otherwise before a token of the shared database")
  func sharedToken() async throws {
    let users = try await NoteUsers()
    try await users.share("root", "share", [participant("_kenji")])
    let shared = users.kenji.sharedCloudDatabase
    let token = try await shared.databaseChanges(since: nil).changeToken
    #expect(try await shared.databaseChanges(since: token).deletions.isEmpty)
    // An import leaves no trace of a zone that it removes.
    try users.container.store.importTransaction { _ = try $0.remove(notes, from: .private) }
    let error = await cloudError { try await shared.databaseChanges(since: token) }
    #expect(error?.code == .changeTokenExpired)
    #expect(try await shared.databaseChanges(since: nil).modifications.isEmpty)
  }
}
