import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// Who may create, change, delete and read records of the public database. Sources: Apple's page on
/// text-based schemas; EVCloudKitDao #13 and #87.
struct GrantTests {
  /// A type with grants, and a record "theirs" of another user.
  private func makeDatabase(_ grants: String, user: String = "_me") async throws -> MockDatabase {
    let schema = "DEFINE SCHEMA RECORD TYPE Note (text STRING, \(grants));"
    let container = try await makeContainer(.production, schema: schema, user: user)
    try container.store.transaction {
      try $0.save([note("theirs", in: .default)], in: .public, savingAs: "_other")
    }
    return container.publicCloudDatabase
  }

  private func refusal(
    _ database: MockDatabase, _ draft: DraftRecord
  ) async -> CloudError? {
    await cloudError {
      try await database.modifyRecords(saving: [draft], deleting: [], savePolicy: .changedKeys)
        .saveResults[draft.recordID]?.get()
    }
  }

  private static let defaults =
    #"GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world""#

  @Test("with the default grants, everyone creates and reads, and only the creator changes")
  func defaults() async throws {
    let database = try await makeDatabase(Self.defaults)
    let (mine, theirs) = (id("mine", in: .default), id("theirs", in: .default))
    #expect(await refusal(database, note("mine", in: .default)) == nil)
    #expect(await refusal(database, note("mine", in: .default, "new")) == nil)
    let change = await refusal(database, note("theirs", in: .default, "new"))
    #expect(change?.code == .permissionFailure)
    #expect(change?.message == "WRITE operation not permitted")
    let read = try await database.records(for: [mine, theirs])
    let isRead = read.values.allSatisfy(\.isSuccess)
    #expect(isRead)
    let deleted = try await database.modifyRecords(saving: [], deleting: [mine, theirs])
    #expect(deleted.deleteResults[mine]?.isSuccess == true)
    #expect(
      deleted.deleteResults[theirs]?.cloudError?.message == "WRITE operation not permitted")
    #expect(try database.names() == ["theirs"])
  }

  @Test("what no role may do is refused: creating, reading")
  func nothing() async throws {
    let database = try await makeDatabase(#"GRANT READ TO "_creator""#)
    let creation = await refusal(database, note("mine", in: .default))
    #expect(creation?.code == .permissionFailure)
    #expect(creation?.message == "CREATE operation not permitted")
    let result = try await database.records(for: [id("theirs", in: .default)])
    let reading = result.values.first?.cloudError
    #expect(reading?.message == "READ operation not permitted")
  }

  @Test("without an account, a record is read by the grants of everyone")
  func noAccount() async throws {
    for (role, isRead) in [("_world", true), ("_icloud", false)] {
      let database = try await makeDatabase(#"GRANT READ TO "\#(role)""#)
      let theirs = id("theirs", in: .default)
      let signedIn = try await database.records(for: [theirs])
      #expect(signedIn[theirs]?.isSuccess == true)
      database.container.setAccountStatus(.noAccount)
      let result = try await database.records(for: [theirs])
      #expect(result[theirs]?.isSuccess == isRead)
    }
  }

  @Test("notifications are about records that their user may read")
  func notifications() async throws {
    for (role, isRead) in [("_creator", false), ("_world", true)] {
      let database = try await makeDatabase(
        #"GRANT CREATE TO "_icloud", GRANT READ TO "\#(role)""#)
      let kenji = try database.container.account("_kenji")
      let (ofKenji, other) = (kenji.device("Phone"), kenji.device("Pad"))
      let query = RecordQuery(recordType: "Note")
      try await ofKenji.publicCloudDatabase.save(
        CloudSubscription(
          subscriptionID: "notes",
          kind: .query(query, zoneID: nil, firesOn: [.create], firesOnce: false)))
      try await database.save(note("of me", in: .default))
      #expect(ofKenji.takeNotifications().isEmpty == !isRead)
      // The Pad's user creates it, so the Phone may read it.
      try await other.publicCloudDatabase.save(note("of kenji", in: .default))
      #expect(ofKenji.takeNotifications().count == 1)
    }
  }

  @Test("grants are those of the public database only")
  func privateDatabase() async throws {
    let database = try await makeDatabase(#"GRANT READ TO "_creator""#)
    let draft = note("mine")
    #expect(await database.container.refusal(of: draft) == nil)
    let saved = try await database.container.privateCloudDatabase.record(for: id("mine"))
    #expect(saved.recordType == "Note")
  }

  @Test("a type that development creates has the default grants at once")
  func newType() async throws {
    let container = try await makeContainer(.development, user: "_me")
    let draft = note("todo", in: .default, type: "Todo", "text", .string("x"))
    try await container.publicCloudDatabase.save(draft)
    #expect(try container.schema.recordType(named: "Todo")?.permissions(of: "_world") == .read)
  }

  @Test("users change their own user record, and no other one")
  func userRecords() async throws {
    let database = try await makeDatabase(Self.defaults)
    let own = note("_me", in: .default, type: "Users", "roles", .int64List([1]))
    #expect(await refusal(database, own) == nil)
    let other = note("_you", in: .default, type: "Users", "roles", .int64List([1]))
    #expect(await refusal(database, other)?.message == "CREATE operation not permitted")
  }
}
