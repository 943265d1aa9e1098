#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import RecordModel
  import TestSupport
  import Testing

  @testable import RecordPackCloudKit

  @Suite("Predicates of CloudKit")
  struct PredicateTests {
    private func query(_ filter: QueryFilter) throws -> CKQuery {
      try CKQuery(RecordQuery(recordType: "Note", filters: [filter]))
    }

    @Test("that ignore case, or match nothing, are not read as others")
    func read() throws {
      let folded = NSPredicate(format: "title BEGINSWITH[cd] %@", argumentArray: ["a"])
      #expect(throws: CloudError.self) { try RecordQuery(recordType: "Note", predicate: folded) }
      let nothing = CloudKit.NSCompoundPredicate(type: .or, subpredicates: [])
      #expect(throws: CloudError.self) { try RecordQuery(recordType: "Note", predicate: nothing) }
      let all = CloudKit.NSCompoundPredicate(type: .and, subpredicates: [])
      #expect(try RecordQuery(recordType: "Note", predicate: all).filters.isEmpty)
    }

    /// Foundation or CloudKit raises an exception for each of these, which ends the process.
    @Test(
      "are not made of what CloudKit does not take",
      arguments: [
        QueryFilter("", .equals, .string("a")), QueryFilter("a.b", .equals, .string("a")),
        QueryFilter("a b", .equals, .string("a")), QueryFilter("ä", .equals, .string("a")),
        QueryFilter("photo", .equals, .asset(Asset(data: Data([1])))),
        QueryFilter("photo", .in, .assetList([Asset(data: Data([1]))])),
        QueryFilter("n", .in, .int64(1)), QueryFilter("n", .listContainsAny, .int64(1)),
        QueryFilter("n", .beginsWith, .int64(1)),
        QueryFilter("n", .near, .int64(1), distance: 5),
        QueryFilter(
          "n", .near, .location(Location(latitude: 0, longitude: 0)), distance: .infinity),
        QueryFilter(QueryFilter.allText, .containsAllTokens, .int64(1)),
        QueryFilter(QueryFilter.allText, .equals, .string("a")),
      ])
    func refused(filter: QueryFilter) throws {
      let error = #expect(throws: CloudError.self) { try query(filter) }
      #expect(error?.code == .invalidArguments)
    }

    @Test(
      "have field names that are words of the language",
      arguments: [
        "in", "any", "self", "first", "size", "not", "SELF", "ANY", "TRUEPREDICATE", "a_1",
      ])
    func reservedWords(name: String) throws {
      let filter = QueryFilter(name, .equals, .string("a"))
      let query = try query(filter)
      #expect(try RecordQuery(recordType: "Note", predicate: query.predicate).filters == [filter])
    }

    @Test("come with orders that CloudKit has")
    func sort() throws {
      let here = Location(latitude: 1, longitude: 2)
      let sorts = [
        QuerySort("place", ascending: false, relativeLocation: here), QuerySort(""),
        QuerySort("a.b"),
      ]
      for sort in sorts {
        let error = #expect(throws: CloudError.self) {
          try CKQuery(RecordQuery(recordType: "Note", sort: [sort]))
        }
        #expect(error?.code == .invalidArguments)
      }
    }
  }
#endif
