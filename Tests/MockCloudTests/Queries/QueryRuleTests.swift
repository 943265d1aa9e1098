import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// What the server refuses in a query, in its own words where they are known.
struct QueryRuleTests {
  private static let schema = """
    DEFINE SCHEMA
      RECORD TYPE Note (
        "___createTime" TIMESTAMP,
        "___createdBy" REFERENCE,
        "___recordID" REFERENCE,
        title STRING QUERYABLE,
        text STRING SEARCHABLE,
        other STRING,
        count INT64 SORTABLE,
        rank INT64 QUERYABLE SORTABLE,
        place LOCATION QUERYABLE,
        secret ENCRYPTED STRING
      );
      RECORD TYPE Plain ( title STRING );
      RECORD TYPE Listed ( "___recordID" REFERENCE QUERYABLE, title STRING SORTABLE );
    """

  private func database(
    _ scope: DatabaseScope = .private, schema: String? = Self.schema,
    _ change: (inout QueryRules) -> Void = { _ in }
  ) async throws -> MockDatabase {
    var rules = ServerRules.native
    change(&rules.queries)
    let container = try MockContainer.inMemory(
      info: ContainerInfo(identifier: "iCloud.com.example.notes", schema: schema), rules: rules,
      now: { testDate })
    try await container.privateCloudDatabase.save(RecordZone(zoneID: notes))
    return container.database(with: scope)
  }

  private func error(
    _ database: MockDatabase, _ filters: [QueryFilter] = [], type: String = "Note",
    sort: [QuerySort] = [], in zoneID: ZoneID? = nil
  ) async -> CloudError? {
    let query = RecordQuery(recordType: type, filters: filters, sort: sort)
    return await cloudError { try await database.records(matching: query, inZoneWith: zoneID) }
  }

  private let title = QueryField("title")
  private static let encrypted =
    "Field 'secret' has a value type of ENCRYPTED_STRING and cannot be queried using filter type EQUALS"

  // MARK: Indexes of the schema

  @Test("a filter needs QUERYABLE, a search SEARCHABLE, a sort SORTABLE (IceCream #169)")
  func indexes() async throws {
    let database = try await database()
    let near = QueryField("place").isWithin(5, of: Location(latitude: 0, longitude: 0))
    let allowed: [[QueryFilter]] = [
      [title == "a"], [title.begins(with: "a")], [near], [.allText(contains: "a")],
      [QueryFilter("text", .containsAnyTokens, .string("a"))], [QueryField("rank") < 3],
    ]
    for filters in allowed { #expect(await error(database, filters) == nil, "\(filters)") }
    let refused: [(QueryFilter, String)] = [
      (QueryField("other") == "a", "Field 'other' is not marked queryable"),
      (QueryField("text") == "a", "Field 'text' is not marked queryable"),
      (QueryField("count") == 1, "Field 'count' is not marked queryable"),
      (QueryField.recordID == "a", "Field 'recordName' is not marked queryable"),
      (QueryField.creatorUserRecordID == "a", "Field 'createdBy' is not marked queryable"),
      (QueryField.creationDate < Date(), "Field '___createTime' is not marked queryable"),
      (QueryField("secret") == "a", Self.encrypted),
      (
        QueryFilter("title", .containsAllTokens, .string("a")),
        "Field 'title' is not marked searchable"
      ),
    ]
    for (filter, message) in refused {
      let found = await error(database, [filter])
      #expect(found == CloudError(.invalidArguments, message))
    }
  }

  @Test("a sort needs SORTABLE (EVCloudKitDao #2), by distance QUERYABLE")
  func sorting() async throws {
    let database = try await database()
    let filters = [title == "a"]
    let here = Location(latitude: 0, longitude: 0)
    #expect(await error(database, filters, sort: [QuerySort("rank"), QuerySort("count")]) == nil)
    #expect(
      await error(database, filters, sort: [QuerySort("place", relativeLocation: here)]) == nil)
    let byDate = await error(database, filters, sort: [QuerySort("creationDate")])
    #expect(
      byDate == CloudError(.invalidArguments, "Field '___createTime' is not marked sortable"))
    let byTitle = await error(database, filters, sort: [QuerySort("title")])
    #expect(byTitle?.message == "Field 'title' is not marked sortable")
  }

  @Test("a query without a filter needs the record name to be queryable")
  func allRecords() async throws {
    let database = try await database()
    #expect(await error(database)?.message == "Field 'recordName' is not marked queryable")
    #expect(await error(database, type: "Listed") == nil)
    let plain = await error(database, type: "Plain")
    #expect(plain == CloudError(.invalidArguments, "Type is not marked indexable: Plain"))
  }

  @Test("a range may need SORTABLE instead of QUERYABLE, by a setting")
  func ranges() async throws {
    let (title, rank) = (title >= "a", QueryField("rank") >= 1)
    let lenient = try await database()
    #expect(await error(lenient, [title, QueryField("count") < 3]) == nil)
    let strict = try await database { $0.rangesNeedSortable = true }
    #expect(await error(strict, [title])?.message == "Field 'title' is not marked sortable")
    #expect(await error(strict, [rank]) == nil)
  }

  @Test("indexes can be switched off, but not for encrypted fields; without a schema all is found")
  func switchedOff() async throws {
    let lenient = try await database { $0.enforcesIndexes = false }
    #expect(await error(lenient, [QueryField("other") == "a"]) == nil)
    #expect(await error(lenient, [], type: "Plain", sort: [QuerySort("title")]) == nil)
    let secret = await error(lenient, [QueryField("secret") == "a"])
    #expect(secret?.message == Self.encrypted)
    let free = try await database(schema: nil)
    #expect(await error(free, [QueryField("anything") == 1], type: "Any") == nil)
  }

  @Test("system fields have types without a schema, too, and a record name has no parts of text")
  func systemFields() async throws {
    for schema in [nil, Self.schema] {
      let database = try await database(schema: schema) { $0.enforcesIndexes = false }
      func message(_ filter: QueryFilter) async -> String? {
        await error(database, [filter])?.message
      }
      let expected = "Invalid value, expected type TIMESTAMP."
      #expect(await message(QueryFilter("___createTime", .greaterThan, .int64(0))) == expected)
      #expect(await message(QueryFilter("modificationDate", .equals, .string("a"))) == expected)
      #expect(await message(QueryField.creationDate < Date()) == nil)
      #expect(await message(QueryField.recordID == "a") == nil)
      for comparator in [QueryFilter.Comparator.beginsWith, .notBeginsWith, .containsAllTokens] {
        let found = await message(QueryFilter("recordID", comparator, .string("a")))
        #expect(found == "Invalid value, expected type REFERENCE.", "\(comparator)")
      }
    }
  }

  @Test("a search reads the SEARCHABLE fields only")
  func searchable() async throws {
    let database = try await database()
    for (name, field) in [("a", "text"), ("b", "title")] {
      var draft = DraftRecord(recordType: "Note", recordID: id(name))
      draft[field] = "needle"
      try await database.save(draft)
    }
    let query = RecordQuery(recordType: "Note", filters: [.allText(contains: "Needle")])
    let found = try await database.records(matching: query).matchResults
    #expect(found.map(\.0.recordName) == ["a"])
  }

  // MARK: Names

  @Test("a type and a field have to be in the schema (CloudKit-PHP #4); users cannot be queried")
  func unknown() async throws {
    let database = try await database()
    let type = await error(database, type: "Nothing")
    #expect(type == CloudError(.unknownItem, "Did not find record type: Nothing"))
    let field = await error(database, [QueryField("tilte") == "a"])
    #expect(
      field == CloudError(.invalidArguments, "Did not find field: 'tilte' in type: 'Note'"))
    let sort = await error(database, [title == "a"], sort: [QuerySort("tilte")])
    #expect(sort?.message == "Did not find field: 'tilte' in type: 'Note'")
    let users = await error(database, type: "Users")
    #expect(users == CloudError(.invalidArguments, "Can't query system types"))
    let free = try await self.database(schema: nil)
    let parent = await error(free, [QueryField("parent") == "a"])
    #expect(parent?.code == .invalidArguments)
  }

  @Test("a zone has to exist, and the shared database needs one")
  func zones() async throws {
    let database = try await database(.private, schema: nil)
    let missing = await error(database, in: ZoneID(zoneName: "Nowhere"))
    #expect(missing?.code == .zoneNotFound)
    #expect(await error(database, in: notes) == nil)
    let shared = try await self.database(.shared, schema: nil)
    #expect(
      await error(shared)
        == CloudError(.invalidArguments, "SharedDB does not support Zone Wide queries"))
    let others = ZoneID(zoneName: "Notes", ownerName: "_ada")
    #expect(await error(shared, in: others)?.code == .zoneNotFound)
  }

  // MARK: Types

  @Test("a filter of another type than its field fails, and does not match nothing")
  func filterTypes() async throws {
    let database = try await database()
    func expected(_ type: String) -> CloudError {
      CloudError(.invalidArguments, "Invalid value, expected type \(type).")
    }
    let count = QueryField("rank")
    #expect(await error(database, [title == 1]) == expected("STRING"))
    #expect(await error(database, [count == "1"]) == expected("INT64"))
    #expect(
      await error(database, [QueryFilter("rank", .in, .stringList(["1"]))])
        == expected("INT64_LIST"))
    #expect(
      await error(database, [QueryFilter("title", .equals, .stringList(["a"]))])
        == expected("STRING"))
    #expect(
      await error(database, [QueryFilter("title", .listContains, .int64(1))]) == expected("STRING"))
    let created = QueryFilter("creationDate", .greaterThan, .string("2023"))
    #expect(await error(database, [created])?.code == .invalidArguments)
    for filter in [
      count == 1, count > 1.5, QueryFilter("rank", .in, .int64List([1])),
      QueryFilter("rank", .in, .emptyList), title == "a",
    ] {
      #expect(await error(database, [filter]) == nil, "\(filter)")
    }
  }

  @Test("a comparison for lists needs a list field, and the others a field that is not a list")
  func filterShapes() async throws {
    let shapes = """
      DEFINE SCHEMA RECORD TYPE Note ( "___recordID" REFERENCE QUERYABLE, text STRING QUERYABLE SORTABLE,
        texts LIST<STRING> QUERYABLE SORTABLE, places LIST<LOCATION> QUERYABLE );
      """
    var record = note("one")
    record["texts"] = ["x"]
    record["places"] = [Location(latitude: 1, longitude: 2)]
    for schema in [shapes, nil] {
      let database = try await database(schema: schema)
      try await database.save(record)
      let place = RecordValue.location(Location(latitude: 1, longitude: 2))
      let texts = RecordValue.stringList(["x"])
      for (field, comparators, value) in [
        (
          "texts",
          [.lessThan, .greaterThanOrEquals, .beginsWith, .notBeginsWith]
            as [QueryFilter.Comparator], .string("x")
        ),
        ("texts", [.in, .notIn], texts),
        ("text", [.listContains, .notListContains, .listMemberBeginsWith], .string("x")),
        ("text", [.listContainsAny, .listContainsAll, .notListContainsAll], texts),
        ("places", [.near], place),
      ] as [(String, [QueryFilter.Comparator], RecordValue)] {
        for comparator in comparators {
          let filter = QueryFilter(
            field, comparator, value, distance: comparator == .near ? 10 : nil)
          let error = await error(database, [filter])
          #expect(error?.code == .invalidArguments, "\(comparator) \(schema == nil)")
          #expect(error?.message.contains("needs a field that is") == true, "\(comparator)")
        }
      }
    }
  }

  @Test("without a schema, the stored values say what type a filter's value has")
  func storedTypes() async throws {
    let database = try await database(schema: nil)
    var record = note("one")
    record["rank"] = 1
    record["tags"] = ["a"]
    record["date"] = testDate
    record["place"] = Location(latitude: 0, longitude: 0)
    record.encryptedValues["secret"] = "s"
    try await database.modifyRecords(saving: [note("none"), record], deleting: [])
    func expected(_ type: String) -> CloudError {
      CloudError(.invalidArguments, "Invalid value, expected type \(type).")
    }
    let rank = QueryField("rank")
    for _ in 0..<2 {
      #expect(await error(database, [rank == "1"]) == expected("INT64"))
      #expect(await error(database, [rank != "1"]) == expected("INT64"))
      #expect(await error(database, [rank < testDate]) == expected("INT64"))
      #expect(await error(database, [QueryField("text") == 1]) == expected("STRING"))
      #expect(await error(database, [QueryField("date") > 5]) == expected("TIMESTAMP"))
      #expect(
        await error(database, [QueryFilter("rank", .in, .stringList(["1"]))])
          == expected("INT64_LIST"))
      #expect(await error(database, [QueryField("tags").contains(1)]) == expected("STRING"))
      #expect(
        await error(database, [QueryFilter("tags", .equals, .string("a"))])
          == expected("STRING_LIST"))
      #expect(await error(database, [rank == 5, QueryField("text") == 2]) == expected("STRING"))
      #expect(
        await error(database, [QueryField("secret") == "s"])
          == CloudError(.invalidArguments, Self.encrypted))
    }
    for filter in [
      rank == 5, rank > 1.5, QueryField("text") == "b", QueryField("tags").contains("b"),
      QueryField("unknown") == 1, QueryField("creationDate") > testDate,
      QueryFilter("rank", .in, .emptyList), .allText(contains: "nothing"),
    ] {
      #expect(await error(database, [filter]) == nil, "\(filter)")
    }
    #expect(await error(database, [rank == "1"], type: "Other") == nil)
  }

  // MARK: Values

  @Test("a filter has at most 250 values (Tact blog)")
  func manyValues() async throws {
    let database = try await database(schema: nil)
    #expect(await error(database, [title.isIn((0..<250).map { "\($0)" })]) == nil)
    #expect(
      await error(database, [title.isIn((0..<251).map { "\($0)" })])
        == CloudError(
          .limitExceeded,
          "Query filter exceeds the limit of values: 250 for container 'iCloud.com.example.notes'"))
  }

  @Test("a query by many references fails as the Tact blog saw it, if asked to")
  func manyReferences() async throws {
    let references = (0..<150).map { Reference(recordID: id("r\($0)")) }
    let filter = QueryField("refs").containsAny(of: references)
    let half = QueryField("refs").containsAny(of: Array(references.prefix(75)))
    let cases: [(QueryRules.ReferenceFailure, CloudError)] = [
      (
        .serverRejectedRequest,
        CloudError(.serverRejectedRequest, "Request failed with http status code 500")
      ),
      (
        .serviceUnavailable,
        CloudError(.serviceUnavailable, "Request failed with http status code 503")
      ),
      (
        .requestRateLimited(retryAfter: 30),
        CloudError(
          .requestRateLimited, "Request failed with http status code 429", retryAfter: 30)
      ),
    ]
    for (failure, expected) in cases {
      let database = try await database(schema: nil) {
        $0.maxReferenceValues = 100
        $0.referenceFailure = failure
      }
      #expect(await error(database, [filter]) == expected)
      #expect(await error(database, [half]) == nil)
    }
    let database = try await database(schema: nil)
    #expect(await error(database, [filter]) == nil)
  }

  @Test("a filter needs a value of the kind that it compares")
  func values() async throws {
    let database = try await database(schema: nil)
    let place = RecordValue.location(Location(latitude: 0, longitude: 0))
    for filter in [
      QueryFilter("place", .near, place), QueryFilter("place", .near, .int64(1), distance: 3),
      QueryFilter("a", .in, .int64(1)), QueryFilter("a", .beginsWith, .int64(1)),
      QueryFilter("a", .lessThan, .int64List([1])),
      QueryFilter(QueryFilter.allText, .containsAllTokens, .int64(1)),
    ] {
      let found = await error(database, [filter])
      #expect(found?.code == .invalidArguments, "\(filter)")
      #expect(found?.message.contains(filter.comparator.rawValue) == true)
    }
  }

  @Test("a private database needs an account")
  func account() async throws {
    let database = try await database(schema: nil)
    database.container.setAccountStatus(.noAccount)
    #expect(await error(database)?.code == .notAuthenticated)
  }
}
