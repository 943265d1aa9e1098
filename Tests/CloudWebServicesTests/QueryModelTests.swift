import CloudInterface
import CloudWebServices
import MockCloud
import RecordModel
import TestSupport
import Testing

/// Random queries through the handler have the results of the same queries of the mock, page by page.
@Suite struct QueryModelTests {
  private static let zoneID = ZoneID(zoneName: "Notes")

  @Test(arguments: SeededGenerator.seeds(4))
  func `queries find what the calls find`(seed: UInt64) async throws {
    var numbers = SeededGenerator(seed)
    let client = try WebClient()
    try await client.makeZone()
    let database = client.container.privateCloudDatabase
    var drafts: [DraftRecord] = []
    for index in 0..<40 {
      var draft = DraftRecord(
        recordType: "Note",
        recordID: RecordID(recordName: "n\(index)", zoneID: Self.zoneID))
      if !numbers.chance(5) { draft["number"] = Int64(numbers.below(10)) }
      if !numbers.chance(5) { draft["text"] = numbers.pick(["a", "ab", "b", "é", "\""]) }
      if !numbers.chance(5) { draft["tags"] = ["x", "y", "z"].filter { _ in numbers.chance(2) } }
      drafts.append(draft)
    }
    // The first makes the fields, with their types.
    drafts[0]["number"] = 1
    drafts[0]["text"] = "a"
    drafts[0]["tags"] = ["x"]
    try await database.save(drafts[0])
    try await database.modifyRecords(saving: drafts, deleting: [], savePolicy: .allKeys)
    for _ in 0..<20 {
      let query = RandomQuery(&numbers)
      let limit = numbers.pick([3, 7, 200])
      let found = try await Self.found(query, limit, client)
      let expected = try await Self.found(query.call, limit, database)
      #expect(found == expected, "\(query.json)")
    }
  }

  private static func found(
    _ query: RandomQuery, _ limit: Int, _ client: WebClient
  ) async throws -> [[String]] {
    var pages: [[String]] = []
    var marker = ""
    repeat {
      let answer = try await client.post(
        "records/query",
        #"{"zoneID":{"zoneName":"Notes"},"resultsLimit":\#(limit),"query":\#(query.json)\#(marker)}"#
      )
      guard answer.status == 200 else { return [[answer.json["reason"].string ?? ""]] }
      pages.append(answer.json["records"].elements.map { $0["recordName"].string ?? "" })
      marker =
        answer.json["continuationMarker"].string.map { #","continuationMarker":"\#($0)""# } ?? ""
    } while !marker.isEmpty
    return pages
  }

  private static func found(
    _ query: RecordQuery, _ limit: Int, _ database: MockDatabase
  ) async throws -> [[String]] {
    do {
      var page = try await database.records(
        matching: query, inZoneWith: zoneID, desiredKeys: nil, resultsLimit: limit)
      var pages = [page.matchResults.map(\.0.recordName)]
      while let cursor = page.queryCursor {
        page = try await database.records(
          continuingMatchFrom: cursor, desiredKeys: nil, resultsLimit: limit)
        pages.append(page.matchResults.map(\.0.recordName))
      }
      return pages
    } catch let error as CloudError {
      return [[error.message]]
    }
  }
}

/// A query, as JSON and as a call.
private struct RandomQuery {
  var call = RecordQuery(recordType: "Note")
  let json: String

  init(_ numbers: inout SeededGenerator) {
    var filters: [String] = []
    for _ in 0..<numbers.below(3) {
      let comparator: QueryFilter.Comparator
      let (name, value, text): (String, RecordValue, String)
      switch numbers.below(3) {
      case 0:
        let number = Int64(numbers.below(10))
        comparator = numbers.pick([
          .equals, .notEquals, .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals,
        ])
        (name, value, text) = ("number", .int64(number), "\(number)")
      case 1:
        let word = numbers.pick(["a", "b", "é"])
        comparator = numbers.pick([.equals, .beginsWith, .notBeginsWith, .lessThan])
        (name, value, text) = ("text", .string(word), "\"\(word)\"")
      default:
        let word = numbers.pick(["x", "q"])
        comparator = numbers.pick([.listContains, .notListContains])
        (name, value, text) = ("tags", .string(word), "\"\(word)\"")
      }
      call.filters.append(QueryFilter(name, comparator, value))
      filters.append(
        #"{"fieldName":"\#(name)","comparator":"\#(comparator.rawValue)","fieldValue":{"value":\#(text)}}"#
      )
    }
    var sorts: [String] = []
    if numbers.chance(2) {
      let (name, ascending) = (numbers.pick(["number", "text"]), numbers.chance(2))
      call.sort = [QuerySort(name, ascending: ascending)]
      sorts.append(#"{"fieldName":"\#(name)","ascending":\#(ascending)}"#)
    }
    json =
      #"{"recordType":"Note","filterBy":[\#(filters.joined(separator: ","))],"sortBy":[\#(sorts.joined(separator: ","))]}"#
  }
}
