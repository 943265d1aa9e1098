import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

@Suite("The change feed")
struct ChangeFeedTests {
  /// Fetches one page of a zone's changes: names, those of deleted records with a minus.
  private func changes(
    _ database: MockDatabase, _ zoneID: ZoneID = notes, since token: ServerChangeToken? = nil,
    limit: Int? = nil
  ) async throws -> (names: [String], token: ServerChangeToken, moreComing: Bool) {
    let page = try await database.recordZoneChanges(
      inZoneWith: zoneID, since: token, desiredKeys: nil, resultsLimit: limit)
    let saved = page.modificationResultsByID.keys.map(\.recordName)
    let deleted = page.deletions.map { "-" + $0.recordID.recordName }
    return ((saved + deleted).sorted(), page.changeToken, page.moreComing)
  }

  @Test("has each record once, as it is now, and then only what has changed")
  func changesSinceToken() async throws {
    let database = try await makeDatabase()
    for name in ["a", "b", "a"] {
      let saved = try? await database.record(for: id(name))
      var draft = saved.map { DraftRecord($0) } ?? note(name)
      draft["text"] = "text of \(name), \(saved == nil ? "new" : "changed")"
      try await database.save(draft)
    }
    let first = try await database.recordZoneChanges(inZoneWith: notes, since: nil)
    #expect(first.modificationResultsByID.count == 2 && first.deletions.isEmpty)
    let record = try first.modificationResultsByID[id("a")]?.get().record
    #expect(record?["text"] == "text of a, changed")
    #expect(!first.moreComing)

    try await database.save(note("c"))
    try await database.deleteRecord(withID: id("b"))
    let second = try await database.recordZoneChanges(inZoneWith: notes, since: first.changeToken)
    #expect(Set(second.modificationResultsByID.keys) == [id("c")])
    #expect(second.deletions == [.init(recordID: id("b"), recordType: "Note")])
    let third = try await changes(database, since: second.changeToken)
    #expect(third.names.isEmpty && third.token == second.changeToken)
  }

  @Test("has a record that was deleted and saved again as saved only")
  func savedAgain() async throws {
    let database = try await makeDatabase()
    try await database.save(note("a"))
    let token = try await changes(database).token
    try await database.deleteRecord(withID: id("a"))
    #expect(try await changes(database, since: token).names == ["-a"])
    try await database.save(note("a"))
    #expect(try await changes(database, since: token).names == ["a"])
  }

  @Test("comes in pages of the limit, of at most 200 records")
  func pages() async throws {
    let database = try await makeDatabase()
    let drafts = (100..<310).map { note("n\($0)") }
    try await database.modifyRecords(saving: drafts, deleting: [])
    var names: [String] = []
    var token: ServerChangeToken?
    var sizes: [Int] = []
    repeat {
      let page = try await changes(database, since: token, limit: 100)
      names += page.names
      sizes.append(page.names.count)
      token = page.token
      if !page.moreComing { break }
    } while true
    #expect(sizes == [100, 100, 10])
    #expect(names == drafts.map(\.recordID.recordName))
    #expect(try await changes(database).names.count == 200)
    let error = await cloudError { try await changes(database, limit: -1) }
    #expect(error?.code == .invalidArguments)
  }

  @Test("has what changes between two pages")
  func changesBetweenPages() async throws {
    let database = try await makeDatabase()
    try await database.modifyRecords(
      saving: ["a", "b", "c", "d"].map { note($0) }, deleting: [])
    let first = try await changes(database, limit: 2)
    #expect(first.names == ["a", "b"] && first.moreComing)
    try await database.deleteRecord(withID: id("a"))
    try await database.deleteRecord(withID: id("d"))
    try await database.modifyRecords(
      saving: [note("b", in: notes, "new")], deleting: [], savePolicy: .allKeys)
    let second = try await changes(database, since: first.token)
    #expect(second.names == ["-a", "-d", "b", "c"])
  }

  @Test("has earlier deletions in the first fetch, or not, by a rule", arguments: [true, false])
  func firstFetch(hasDeletions: Bool) async throws {
    var rules = ServerRules.native
    rules.firstFetchHasDeletions = hasDeletions
    let database = try await makeDatabase(rules: rules)
    try await database.modifyRecords(saving: ["a", "b", "c"].map { note($0) }, deleting: [])
    try await database.deleteRecord(withID: id("a"))
    let first = try await changes(database, limit: 1)
    #expect(first.names == ["b"] && first.moreComing)
    try await database.deleteRecord(withID: id("b"))
    let second = try await changes(database, since: first.token)
    #expect(second.names == (hasDeletions ? ["-a", "-b", "c"] : ["-b", "c"]))
  }

  @Test("has only the fields that are asked for")
  func desiredKeys() async throws {
    let database = try await makeDatabase()
    try await database.save(note("a"))
    let page = try await database.recordZoneChanges(
      inZoneWith: notes, since: nil, desiredKeys: [])
    #expect(try page.modificationResultsByID[id("a")]?.get().record.fields.isEmpty == true)
  }

  @Test(
    "has the parent of a saved child, or not, by a rule",
    arguments: ServerRules.ParentOfSavedChild.allCases)
  func parents(parent: ServerRules.ParentOfSavedChild) async throws {
    var rules = ServerRules.native
    rules.parentOfSavedChild = parent
    let database = try await makeDatabase(rules: rules)
    try await database.save(note("parent"))
    let (tag, token) = (try await database.tag("parent"), try await changes(database).token)
    try await database.save(note("child", below: "parent"))
    let names = try await changes(database, since: token).names
    #expect(names == (parent == .changes ? ["child", "parent"] : ["child"]))
    #expect(try await (database.tag("parent") == tag) == (parent == .stays))
    #expect(try database.container.store.verify { Issue.record("\($0)") }.isIntact)
  }

  // MARK: Errors

  @Test("exists only in zones other than the default zone, of private and shared databases")
  func defaultZone() async throws {
    let database = try await makeDatabase()
    var error = await cloudError { try await changes(database, .default) }
    #expect(error?.message == "cannot get changes in default zone")
    error = await cloudError { try await changes(database, ZoneID(zoneName: "None")) }
    #expect(error?.code == .zoneNotFound)
    let publicDatabase = database.container.publicCloudDatabase
    error = await cloudError { try await publicDatabase.databaseChanges(since: nil) }
    #expect(error?.code == .invalidArguments)
  }

  @Test("does not take a token of another zone, of a later state, or of another server")
  func wrongTokens() async throws {
    let database = try await makeDatabase()
    try await database.save(RecordZone(zoneName: "Other"))
    let token = try await changes(database).token
    var error = await cloudError {
      try await changes(database, ZoneID(zoneName: "Other"), since: token)
    }
    #expect(error?.code == .changeTokenExpired)
    #expect(error?.message == "client knowledge differs from server knowledge")
    error = await cloudError { try await database.databaseChanges(since: token) }
    #expect(error?.code == .changeTokenExpired)
    try await database.save(note("a"))
    let later = try await changes(database).token
    let other = try await makeDatabase()
    error = await cloudError { try await changes(other, since: later) }
    #expect(error?.code == .changeTokenExpired)
    for text in ["", "x", "1;private;1;1", "2;private;1;1;", "1;private;-1;1;", "1;private;?;1;"] {
      let token = ServerChangeToken(data: Data(text.utf8))
      error = await cloudError { try await database.databaseChanges(since: token) }
      #expect(error?.code == .changeTokenExpired, "\(text)")
      error = await cloudError { try await changes(database, since: token) }
      #expect(error?.code == .changeTokenExpired, "\(text)")
    }
  }

  @Test("begins again in a zone that was deleted and saved again: earlier tokens have expired")
  func zoneAgain() async throws {
    let database = try await makeDatabase()
    try await database.save(note("a"))
    let token = try await changes(database).token
    try await database.deleteRecordZone(withID: notes)
    var error = await cloudError { try await changes(database, since: token) }
    #expect(error?.code == .zoneNotFound)
    try await database.save(RecordZone(zoneID: notes))
    error = await cloudError { try await changes(database, since: token) }
    #expect(error?.code == .changeTokenExpired)
    let first = try await changes(database)
    #expect(first.names.isEmpty)
    #expect(try await changes(database, since: first.token).names.isEmpty)
  }

  @Test("says that the user has purged a zone, until it is saved again")
  func purgedZone() async throws {
    let database = try await makeDatabase()
    let start = try await database.databaseChanges(since: nil).changeToken
    try await database.container.purgeRecordZone(withID: notes)
    var errors = [await cloudError { try await changes(database) }]
    errors.append(await cloudError { try await database.save(note("a")) })
    errors.append(await cloudError { try await database.record(for: id("a")) })
    errors.append(await cloudError { try await database.recordZone(for: notes) })
    for error in errors {
      #expect(error == CloudError(.userDeletedZone, "Zone was purged by user"))
    }
    let page = try await database.databaseChanges(since: start)
    #expect(page.deletions == [.init(zoneID: notes, reason: .purged)])
    try await database.save(RecordZone(zoneID: notes))
    try await database.save(note("a"))
    #expect(try await changes(database).names == ["a"])
  }

  // MARK: Databases

  @Test("of a database has each changed zone once, and the deleted ones")
  func databaseChanges() async throws {
    let database = try await makeDatabase()
    let (a, b) = (ZoneID(zoneName: "A"), ZoneID(zoneName: "B"))
    try await database.modifyRecordZones(
      saving: [a, b].map { RecordZone(zoneID: $0) }, deleting: [])
    try await database.save(note("x", in: .default))
    let first = try await database.databaseChanges(since: nil)
    #expect(first.modifications.map(\.zoneID) == [notes, a, b])
    try await database.modifyRecords(
      saving: [note("1", in: b), note("2", in: b), note("3", in: notes)], deleting: [])
    try await database.deleteRecordZone(withID: a)
    let second = try await database.databaseChanges(since: first.changeToken)
    #expect(second.modifications.map(\.zoneID) == [b, notes])
    #expect(second.deletions == [.init(zoneID: a)])
    let third = try await database.databaseChanges(since: second.changeToken)
    #expect(third.modifications.isEmpty && third.deletions.isEmpty && !third.moreComing)
    #expect(try await database.databaseChanges(since: nil).deletions.isEmpty)

    let page = try await database.databaseChanges(since: nil, resultsLimit: 1)
    #expect(page.modifications.map(\.zoneID) == [b] && page.moreComing)
    let rest = try await database.databaseChanges(since: page.changeToken)
    #expect(rest.modifications.map(\.zoneID) == [notes] && !rest.moreComing)
  }

  @Test("tokens are good for a container that was closed and opened again")
  func reopened() async throws {
    let folder = try TestFolder()
    let path = folder.path("container")
    let container = try MockContainer.open(path: path, mode: .create, now: { testDate })
    let database = container.privateCloudDatabase
    try await database.save(RecordZone(zoneID: notes))
    try await database.save(note("a"))
    let (zoneToken, token) = (
      try await changes(database).token, try await database.databaseChanges(since: nil).changeToken
    )
    try await database.save(note("b"))
    try container.store.close()
    let again = try MockContainer.open(path: path, mode: .readOnly).privateCloudDatabase
    #expect(try await changes(again, since: zoneToken).names == ["b"])
    #expect(
      try await again.databaseChanges(since: token).modifications.map(\.zoneID) == [notes])
  }
}
