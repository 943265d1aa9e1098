import CloudInterface
import Foundation
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
    try damage("one", database)
    return database
  }

  private func damage(
    _ name: String, _ database: MockDatabase, in table: String = "record"
  ) throws {
    try database.container.store.transaction {
      try $0.db.execute(
        """
        UPDATE \(table) SET json = CAST(replace(CAST(json AS TEXT), 'e', 'x') AS BLOB)
        WHERE name = '\(name)'
        """)
    }
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

  @Test(
    "as a zone is not said to be missing, as an app would delete its copy",
    arguments: [
      "UPDATE zone SET scope = 2 WHERE name = 'Notes'", "DELETE FROM zone WHERE name = 'Notes'",
      "UPDATE zone SET name = 'Notez' WHERE name = 'Notes'",
      "UPDATE zone SET owner = '_x', hash = 1 WHERE name = 'Notes'",
    ])
  func zones(damage: String) async throws {
    let database = try await makeDatabase()
    _ = try await database.modifyRecords(
      saving: [note("one")], deleting: [], savePolicy: .allKeys, atomically: true)
    try database.container.store.transaction { try $0.db.execute(damage) }
    let unread = try await database.records(for: [id("one")], desiredKeys: nil)[id("one")]
    let unsaved = try await database.modifyRecords(
      saving: [note("two")], deleting: [], savePolicy: .allKeys, atomically: false
    ).saveResults[id("two")]
    let zone = try await database.recordZones(for: [notes])[notes]
    for result in [unread?.map { _ in }, unsaved?.map { _ in }, zone?.map { _ in }] {
      let error = #expect(throws: CloudError.self) { try result?.get() }
      #expect(error?.code == .internalError, "\(damage): \(error as Any)")
    }
    // A zone that is saved is there again.
    let saved = try await database.modifyRecordZones(
      saving: [RecordZone(zoneID: notes)], deleting: [])
    #expect(throws: Never.self) { try saved.saveResults[notes]?.get() }
  }

  // MARK: Queries

  private static let text = QueryField("text")

  @Test(
    "is an error among the results of a query, once in all pages",
    arguments: [
      ([], []), ([text == "text"], []), ([text >= "a"], [QuerySort("text")]),
      ([], [QuerySort("text", ascending: false)]), ([], [QuerySort("text"), QuerySort("order")]),
      ([text.begins(with: "t")], [QuerySort("order")]), ([.allText(contains: "text")], []),
      ([text != "other"], []),
    ] as [([QueryFilter], [QuerySort])], [true, false])
  func queries(_ query: ([QueryFilter], [QuerySort]), hasIndex: Bool) async throws {
    let database = try await makeDatabase()
    try await database.modifyRecords(
      saving: ["one", "three", "two"].map { note($0) }, deleting: [])
    let query = RecordQuery(recordType: "Note", filters: query.0, sort: query.1)
    if hasIndex { _ = try await database.records(matching: query) }
    try damage("one", database)
    var found: [RecordID: Result<ResultRecord, any Error>] = [:]
    var page = try await database.records(matching: query, resultsLimit: 1)
    while true {
      for (recordID, result) in page.matchResults {
        #expect(found.updateValue(result, forKey: recordID) == nil, "\(recordID)")
      }
      guard let cursor = page.queryCursor else { break }
      page = try await database.records(continuingMatchFrom: cursor, resultsLimit: 1)
    }
    #expect(Set(found.keys) == [id("one"), id("two"), id("three")])
    #expect(found[id("one")]?.cloudError?.code == .internalError)
    #expect(found[id("two")]?.isSuccess == true && found[id("three")]?.isSuccess == true)
  }

  @Test("is no result where an index says that it does not match, and is one after its repair")
  func otherValues() async throws {
    let database = try await database()
    let query = RecordQuery(recordType: "Note", filters: [Self.text == "new"])
    // Nothing is known about it when the index is made.
    #expect(try await database.records(matching: query).matchResults.map(\.0) == [id("one")])
    _ = try await database.modifyRecords(
      saving: [note("one", in: notes, "new")], deleting: [], savePolicy: .allKeys, atomically: true)
    let found = try await database.records(matching: query).matchResults
    #expect(found.map(\.0) == [id("one")] && found.allSatisfy { $0.1.isSuccess })
    #expect(try isIntact(database))
    try damage("two", database)
    #expect(try await database.records(matching: query).matchResults.map(\.0) == [id("one")])
  }

  // MARK: Changes

  @Test("is an error among the changes of its zone, and so is a damaged deletion")
  func changes() async throws {
    let database = try await database()
    try await database.save(note("gone"))
    try await database.deleteRecord(withID: id("gone"))
    try damage("gone", database, in: "tombstone")
    let changes = try await database.recordZoneChanges(inZoneWith: notes, since: nil)
    #expect(changes.modificationResultsByID.count == 3)
    #expect(changes.modificationResultsByID[id("two")]?.isSuccess == true)
    for name in ["one", "gone"] {
      let error = changes.modificationResultsByID[id(name)]?.cloudError
      #expect(error?.code == .internalError)
      #expect(error?.message.contains("record '\(name)'") == true)
    }
    #expect(changes.deletions.isEmpty)
    let newest = try await database.newestChanges(inZoneWith: notes, since: nil, resultsLimit: 5)
    #expect(newest.changes.map(\.recordID) == [id("gone"), id("two"), id("one")])
    let later = try await database.recordZoneChanges(
      inZoneWith: notes, since: changes.changeToken)
    #expect(later.modificationResultsByID.isEmpty)
  }

  // MARK: Sharing

  @Test(
    "as a root or a share, it is an error of each record that depends on it",
    arguments: ["root", "share"])
  func sharing(damaged: String) async throws {
    let users = try await SharedNotes()
    try await users.accept(users.kenji)
    try damage(damaged, users.mira)
    let shared = users.kenji.sharedCloudDatabase
    #expect(try await shared.allRecordZones().map(\.zoneID) == [SharedNotes.zone])
    let changes = try await shared.recordZoneChanges(inZoneWith: SharedNotes.zone, since: nil)
    let found = try await shared.records(
      matching: RecordQuery(recordType: "Note"), inZoneWith: SharedNotes.zone)
    let results = Dictionary(uniqueKeysWithValues: found.matchResults)
    for name in ["root", "child"] {
      #expect(results[seen(name)]?.cloudError?.code == .internalError)
      let change = changes.modificationResultsByID[seen(name)]
      #expect(change?.cloudError?.code == .internalError)
    }
    // The owner does not need the share to see the records.
    let own = try await users.mira.recordZoneChanges(inZoneWith: notes, since: nil)
    #expect(own.modificationResultsByID.values.count { !$0.isSuccess } == 1)
  }

  @Test("as a deletion, it is an error among a participant's changes")
  func sharedDeletion() async throws {
    let users = try await SharedNotes()
    try await users.accept(users.kenji)
    let shared = users.kenji.sharedCloudDatabase
    let first = try await shared.recordZoneChanges(inZoneWith: SharedNotes.zone, since: nil)
    try await users.mira.deleteRecord(withID: id("child"))
    try damage("child", users.mira, in: "tombstone")
    let changes = try await shared.recordZoneChanges(
      inZoneWith: SharedNotes.zone, since: first.changeToken)
    let result = changes.modificationResultsByID[seen("child")]
    #expect(result?.cloudError?.code == .internalError)
    #expect(changes.deletions.isEmpty)
  }

  @Test("as a share, it is an error of the links that no other share has")
  func links() async throws {
    let users = try await NoteUsers()
    try await users.share("a", "shareA", [participant("_kenji")])
    try await users.share("b", "shareB", [participant("_kenji")])
    func link(_ share: String) async throws -> URL {
      try #require(try await users.mira.record(for: id(share)).shareInfo?.url)
    }
    let links = [try await link("shareA"), try await link("shareB")]
    try damage("shareA", users.mira)
    let found = try await users.kenji.shareMetadatas(for: links)
    #expect(found[links[0]]?.cloudError?.code == .internalError)
    #expect(found[links[1]]?.isSuccess == true)
  }
}
