import CloudKit
import RecordModel
import TestSupport
import Testing

@testable import RecordPackCloudKit

@Suite("A query, as one of CloudKit")
struct QueryConversionTests {
  private static let values: [RecordValue] = [
    .string("a \"b\" %@"), .int64(-3), .double(2.5), .timestamp(.init(timeIntervalSince1970: 1.5)),
    .bytes(.init([1, 2])),
    .reference(Reference(recordID: RecordID(recordName: "r", zoneID: ZoneID(zoneName: "Z")))),
  ]
  private static let lists: [RecordValue] = [
    .stringList(["a", "b"]), .int64List([1, 2, 3]), .doubleList([1.5]),
    .timestampList([.init(timeIntervalSince1970: 0.25)]),
  ]
  private static let location = Location(
    latitude: 1, longitude: 2, altitude: 0, horizontalAccuracy: 0, verticalAccuracy: -1,
    course: -1, speed: -1, timestamp: .init(timeIntervalSince1970: 0))

  /// A filter with each comparator that predicates have, and each type of value.
  private static let filters: [QueryFilter] = {
    let ofValues: [QueryFilter.Comparator] = [
      .equals, .notEquals, .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals,
      .listContains, .notListContains,
    ]
    let ofTexts: [QueryFilter.Comparator] = [
      .beginsWith, .notBeginsWith, .listMemberBeginsWith, .notListMemberBeginsWith,
    ]
    let ofLists: [QueryFilter.Comparator] = [
      .in, .notIn, .listContainsAny, .notListContainsAny, .listContainsAll, .notListContainsAll,
    ]
    return ofValues.flatMap { comparator in values.map { QueryFilter("f", comparator, $0) } }
      + ofTexts.map { QueryFilter("f", $0, .string("be")) }
      + ofLists.flatMap { comparator in lists.map { QueryFilter("f", comparator, $0) } }
      + [
        QueryFilter("f", .near, .location(location), distance: 1500.5),
        .allText(contains: "two words"),
        QueryField.recordID == values[5], QueryField.creationDate > values[3],
        QueryField.creatorUserRecordID == values[5], QueryField.modificationDate < values[3],
        QueryField.lastModifiedUserRecordID != values[5],
      ]
  }()

  @Test("has a predicate with the same meaning for each comparator and type", arguments: filters)
  func predicate(filter: QueryFilter) throws {
    let query = try CKQuery(RecordQuery(recordType: "Note", filters: [filter]))
    let read = try RecordQuery(recordType: query.recordType, predicate: query.predicate)
    #expect(read == RecordQuery(recordType: "Note", filters: [filter]))
  }

  @Test("joins its filters", arguments: SeededGenerator.seeds(50))
  func conjunction(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    let filters = (0..<random.below(5)).map { _ in random.pick(Self.filters) }
    let query = try CKQuery(RecordQuery(recordType: "Note", filters: filters))
    #expect(try RecordQuery(recordType: "Note", predicate: query.predicate).filters == filters)
  }

  @Test("has its sort descriptors")
  func sort() throws {
    let query = try CKQuery(
      RecordQuery(
        recordType: "Note",
        sort: [
          QuerySort("title"), QuerySort("___modTime", ascending: false),
          QuerySort("place", relativeLocation: Self.location),
        ]))
    let descriptors = try #require(query.sortDescriptors)
    #expect(descriptors.map(\.key) == ["title", "modificationDate", "place"])
    #expect(descriptors.map(\.ascending) == [true, false, true])
    let place = try #require(descriptors[2] as? CKLocationSortDescriptor)
    #expect(place.relativeLocation.coordinate.latitude == 1)
    #expect(try CKQuery(RecordQuery(recordType: "Note")).sortDescriptors == nil)
  }

  @Test(
    "refuses what no predicate can express",
    arguments: [
      (QueryFilter("f", .containsAnyTokens, .string("a")), "CONTAINS_ANY_TOKENS"),
      (QueryFilter("f", .containsAllTokens, .string("a")), "CONTAINS_ALL_TOKENS"),
      (QueryFilter("f", .near, .location(location)), "has no distance"),
      (QueryFilter("f", .equals, .unknown(type: "NEW", json: .null)), "of the type NEW"),
    ])
  func refused(filter: QueryFilter, message: String) throws {
    let error = #expect(throws: CloudError.self) {
      try CKQuery(RecordQuery(recordType: "Note", filters: [filter]))
    }
    #expect(error?.code == .invalidArguments && error?.message.contains(message) == true)
  }

  @Test("of a subscription can have any form that CKQuery's documentation has")
  func read() throws {
    let cases: [(String, [Any], [QueryFilter])] = [
      ("TRUEPREDICATE", [], []),
      (
        "f BETWEEN %@", [[1, 5]],
        [
          QueryFilter("f", .greaterThanOrEquals, .int64(1)),
          QueryFilter("f", .lessThanOrEquals, .int64(5)),
        ]
      ),
      ("%@ IN f", ["x"], [QueryFilter("f", .listContains, .string("x"))]),
      ("ANY f = %@", ["x"], [QueryFilter("f", .listContains, .string("x"))]),
      ("NOT (f = 1)", [], [QueryFilter("f", .notEquals, .int64(1))]),
      (
        "f > 1 AND (g = 'a' AND h < 2.5)", [],
        [
          QueryFilter("f", .greaterThan, .int64(1)), QueryFilter("g", .equals, .string("a")),
          QueryFilter("h", .lessThan, .double(2.5)),
        ]
      ),
    ]
    for (format, arguments, filters) in cases {
      let predicate = NSPredicate(format: format, argumentArray: arguments)
      let query = try RecordQuery(recordType: "Note", predicate: predicate)
      #expect(query.filters == filters, "\(format)")
    }
  }
}
