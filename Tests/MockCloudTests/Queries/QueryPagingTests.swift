import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Synchronization
import Testing

/// Pages of results, their cursors, and when records are found.
struct QueryPagingTests {
  private let query = RecordQuery(recordType: "Note", sort: [QuerySort("number")])

  private func numbered(_ number: Int, _ name: String? = nil) -> DraftRecord {
    var draft = note(name ?? "n\(1_000 + number)")
    draft["number"] = number
    return draft
  }

  private func database(
    _ count: Int = 0, now: @escaping @Sendable () -> Date = { testDate },
    _ change: (inout QueryRules) -> Void = { _ in }
  ) async throws -> MockDatabase {
    var rules = ServerRules.native
    change(&rules.queries)
    let database = try await makeDatabase(rules: rules, now: now)
    for start in stride(from: 0, to: count, by: 400) {
      _ = try await database.modifyRecords(
        saving: (start..<min(count, start + 400)).map { numbered($0) }, deleting: [],
        savePolicy: .allKeys, atomically: true)
    }
    return database
  }

  private func names(_ results: [(RecordID, Result<ResultRecord, any Error>)]) -> [String] {
    results.map(\.0.recordName)
  }

  @Test("a limit of 0, or one above the server's maximum, gives the maximum (200)")
  func maximum() async throws {
    let database = try await database(450)
    for limit in [0, 1_000] {
      let first = try await database.records(
        matching: query, inZoneWith: nil, desiredKeys: nil, resultsLimit: limit)
      #expect(first.matchResults.count == 200)
      let cursor = try #require(first.queryCursor)
      let rest = try await database.records(
        continuingMatchFrom: cursor, desiredKeys: nil, resultsLimit: 250)
      #expect(rest.matchResults.count == 200)
      let last = try await database.records(continuingMatchFrom: #require(rest.queryCursor))
      #expect(names(last.matchResults) == (1_400..<1_450).map { "n\($0)" })
      #expect(last.queryCursor == nil)
    }
    let negative = await cloudError {
      try await database.records(
        matching: query, inZoneWith: nil, desiredKeys: nil, resultsLimit: -1)
    }
    #expect(negative?.code == .invalidArguments)
  }

  @Test("a page that has the last record has no cursor")
  func exactEnd() async throws {
    let database = try await database(4)
    let page = try await database.records(
      matching: query, inZoneWith: nil, desiredKeys: nil, resultsLimit: 4)
    #expect(page.matchResults.count == 4 && page.queryCursor == nil)
  }

  @Test("only the desired keys are sent; they need not be those of the query")
  func desiredKeys() async throws {
    let database = try await database(3)
    let page = try await database.records(
      matching: query, inZoneWith: nil, desiredKeys: ["text"], resultsLimit: 2)
    let next = try await database.records(
      continuingMatchFrom: #require(page.queryCursor), desiredKeys: [])
    let first = try page.matchResults[0].1.get()
    let last = try next.matchResults[0].1.get()
    #expect(first.allKeys() == ["text"] && last.allKeys() == [])
  }

  @Test("records without the field come first, those with the same value by zone and name")
  func order() async throws {
    let database = try await database()
    var drafts = [note("x"), note("y", in: .default), numbered(1, "b"), numbered(1, "a")]
    drafts.append(numbered(0, "z"))
    for draft in drafts { try await database.save(draft) }
    let up = try await database.records(matching: query)
    #expect(names(up.matchResults) == ["x", "y", "z", "a", "b"])
    let down = try await database.records(
      matching: RecordQuery(recordType: "Note", sort: [QuerySort("number", ascending: false)]))
    #expect(names(down.matchResults) == ["a", "b", "z", "x", "y"])
  }

  @Test("records that others change between pages move; the others are neither missed nor repeated")
  func stable() async throws {
    let database = try await database(10)
    let first = try await database.records(
      matching: query, inZoneWith: nil, desiredKeys: nil, resultsLimit: 4)
    try await database.deleteRecord(withID: id("n1003"))
    try await database.save(numbered(-5, "before"))
    try await database.save(numbered(6, "between"))
    _ = try await database.modifyRecords(
      saving: [numbered(9, "n1000")], deleting: [], savePolicy: .allKeys, atomically: false)
    let second = try await database.records(continuingMatchFrom: #require(first.queryCursor))
    #expect(
      names(second.matchResults)
        == ["n1004", "n1005", "between", "n1006", "n1007", "n1008", "n1000", "n1009"])
  }

  // MARK: Cursors

  @Test("a cursor expires, can be used twice, and survives closing the container")
  func lifetime() async throws {
    let folder = try TestFolder()
    let time = Mutex(0.0)
    let now: @Sendable () -> Date = { testDate.addingTimeInterval(time.withLock { $0 }) }
    let path = folder.path("c")
    let container = try MockContainer.open(path: path, mode: .create, now: now)
    for number in 0..<6 {
      var draft = numbered(number)
      draft = DraftRecord(recordType: "Note", recordID: id("n\(number)", in: .default))
      draft["number"] = number
      try await container.privateCloudDatabase.save(draft)
    }
    let page = try await container.privateCloudDatabase.records(
      matching: query, inZoneWith: nil, desiredKeys: nil, resultsLimit: 2)
    let cursor = try #require(page.queryCursor)
    try container.store.close()
    let again = try MockContainer.open(path: path, now: now).privateCloudDatabase
    for _ in 0..<2 {
      let next = try await again.records(continuingMatchFrom: cursor)
      #expect(names(next.matchResults) == ["n2", "n3", "n4", "n5"])
    }
    time.withLock { $0 = 3_601 }
    let expired = await cloudError { try await again.records(continuingMatchFrom: cursor) }
    #expect(expired?.code == .invalidArguments)
    #expect(expired?.message.contains("expired") == true)
  }

  @Test("a cursor of another database or container, or one that was changed, is refused")
  func foreign() async throws {
    let database = try await database(6)
    let page = try await database.records(
      matching: query, inZoneWith: nil, desiredKeys: nil, resultsLimit: 2)
    let cursor = try #require(page.queryCursor)
    let other = try MockContainer.inMemory(info: ContainerInfo(identifier: "iCloud.other"))
    for database in [database.container.publicCloudDatabase, other.privateCloudDatabase] {
      let error = await cloudError { try await database.records(continuingMatchFrom: cursor) }
      #expect(error?.message.contains("belongs to the private database") == true)
    }
    for position in stride(from: 0, to: cursor.data.count, by: 5) {
      var data = cursor.data
      data[position] ^= 1
      let error = await cloudError {
        try await database.records(continuingMatchFrom: QueryCursor(data: data))
      }
      #expect(error?.code == .invalidArguments, "byte \(position)")
    }
    for length in stride(from: 0, to: cursor.data.count, by: 9) {
      let error = await cloudError {
        try await database.records(
          continuingMatchFrom: QueryCursor(data: cursor.data.prefix(length)))
      }
      #expect(error?.code == .invalidArguments, "length \(length)")
    }
  }

  // MARK: The lag of indexes

  @Test("a query does not find what was saved a moment ago, fetching does (MistKit #445)")
  func lag() async throws {
    let time = Mutex(0.0)
    let database = try await database(
      now: { testDate.addingTimeInterval(time.withLock { $0 }) }
    ) { $0.indexLag = 3 }
    try await database.save(numbered(1))
    let found: () async throws -> [String] = {
      names(try await database.records(matching: query).matchResults)
    }
    #expect(try await found() == [])
    #expect(try await database.record(for: id("n1001"))["number"] == 1)
    time.withLock { $0 = 3 }
    #expect(try await found() == ["n1001"])
  }

  // MARK: Matching

  @Test("the signed-in user is found by both names")
  func currentUser() async throws {
    let container = try MockContainer.inMemory(
      info: ContainerInfo(currentUserRecordName: "_me"), now: { testDate })
    let database = container.privateCloudDatabase
    try await database.save(note("a", in: .default))
    for name in ["_me", ZoneID.currentUserOwnerName, "_other"] {
      let user = Reference(recordID: RecordID(recordName: name))
      for filter in [
        QueryField.creatorUserRecordID == user, QueryField.lastModifiedUserRecordID.isIn([user]),
      ] {
        let query = RecordQuery(recordType: "Note", filters: [filter])
        let found = names(try await database.records(matching: query).matchResults)
        #expect(found == (name == "_other" ? [] : ["a"]), "\(name)")
      }
    }
  }

  @Test("fields whose names have the same characters but other scalars are others")
  func equivalentNames() async throws {
    let container = try MockContainer.inMemory()
    try container.store.importTransaction { writer in
      for (name, first, second) in [("a", 1, 5), ("b", 9, 2)] {
        let fields = [
          Field(name: "e\u{301}", value: .int64(Int64(second))),
          Field(name: "\u{E9}", value: .int64(Int64(first))),
        ]
        let record = DraftRecord(recordType: "Note", recordID: id(name, in: .default))
        try writer.add(
          ResultRecord(systemFields: record.systemFields, fields: fields), to: .private)
      }
    }
    let query = RecordQuery(
      recordType: "Note", filters: [QueryFilter("\u{E9}", .greaterThan, .int64(3))],
      sort: [QuerySort("e\u{301}")])
    let page = try await container.privateCloudDatabase.records(matching: query)
    #expect(page.matchResults.map(\.0.recordName) == ["b"])
  }

  @Test("an encrypted field cannot be queried, even without a schema")
  func encrypted() async throws {
    let database = try await database()
    var draft = note("a")
    draft.encryptedValues["secret"] = "x"
    try await database.save(draft)
    let query = RecordQuery(recordType: "Note", filters: [QueryField("secret") == "x"])
    let error = await cloudError { try await database.records(matching: query) }
    #expect(error?.message.contains("cannot be queried using filter type EQUALS") == true)
  }
}
