import CloudInterface
import MockCloud
import RecordModel
import Testing

@testable import RecordStore

/// One letter of a stored record is another one, as after a fault of the disk.
@Suite("A damaged record")
struct DamagedRecordTests {
  private func database() async throws -> MockDatabase {
    let database = try await makeDatabase()
    _ = try await database.modifyRecords(
      saving: [note("one"), note("two")], deleting: [], savePolicy: .allKeys, atomically: true)
    try database.container.store.transaction {
      try $0.db.execute(
        """
        UPDATE record SET json = CAST(replace(CAST(json AS TEXT), '"text"', '"texx"') AS BLOB)
        WHERE name = 'one'
        """)
    }
    return database
  }

  private func isIntact(_ database: MockDatabase) throws -> Bool {
    try database.container.store.verify { _ in }.isIntact
  }

  @Test("is an error of its own when it is fetched or saved with others")
  func itemErrors() async throws {
    let database = try await database()
    let fetched = try await database.records(for: [id("one"), id("two")], desiredKeys: nil)
    let error = #expect(throws: CloudError.self) { try fetched[id("one")]?.get() }
    #expect(error?.code == .internalError)
    #expect(error?.message.contains("record 'one' of the zone 'Notes'") == true)
    #expect(try fetched[id("two")]?.get().recordID.recordName == "two")
    let saved = try await database.modifyRecords(
      saving: [note("one", in: notes, "new"), note("three")], deleting: [],
      savePolicy: .changedKeys,
      atomically: false)
    #expect(throws: CloudError.self) { try saved.saveResults[id("one")]?.get() }
    #expect(try saved.saveResults[id("three")]?.get().recordID.recordName == "three")
    #expect(try !isIntact(database))
  }

  @Test("is replaced by a save of all keys")
  func replacing() async throws {
    let database = try await database()
    let saved = try await database.modifyRecords(
      saving: [note("one", in: notes, "new")], deleting: [], savePolicy: .allKeys, atomically: true)
    #expect(try saved.saveResults[id("one")]?.get()["text"] == "new")
    #expect(try isIntact(database))
  }

  @Test("is deleted, and others beside it")
  func deleting() async throws {
    let database = try await database()
    for name in ["two", "one"] {
      let result = try await database.modifyRecords(
        saving: [], deleting: [id(name)], savePolicy: .allKeys, atomically: true)
      #expect(throws: Never.self) { try result.deleteResults[id(name)]?.get() }
    }
    #expect(try isIntact(database))
  }
}
