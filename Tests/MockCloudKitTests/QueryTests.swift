#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import Testing

@Suite struct QueryTests {
  private static func filled() async throws -> Fixture {
    let fixture = try await Fixture.withZone()
    let records = (1...4).map { number in
      let record = fixture.record("r\(number)")
      record["count"] = number
      record["title"] = number < 3 ? "apple \(number)" : "pear \(number)"
      record["tags"] = number.isMultiple(of: 2) ? ["even", "all"] : ["odd", "all"]
      record["place"] = CLLocation(latitude: 0, longitude: Double(number))
      record["link"] = CKRecord.Reference(
        recordID: CKRecord.ID(recordName: "r1", zoneID: fixture.zone), action: .none)
      return record
    }
    _ = try await fixture.database.modifyRecords(saving: records, deleting: [])
    return fixture
  }

  private func names(
    _ fixture: Fixture, _ format: String, _ arguments: [Any] = []
  ) async throws -> [String] {
    let query = CKQuery(
      recordType: "Note", predicate: NSPredicate(format: format, argumentArray: arguments))
    query.sortDescriptors = [NSSortDescriptor(key: "count", ascending: true)]
    let answer = try await fixture.database.records(matching: query, inZoneWith: fixture.zone)
    return answer.matchResults.map(\.0.recordName)
  }

  @Test func comparisonsFindRecords() async throws {
    let fixture = try await Self.filled()
    let none: [Any] = []
    let cases: [(String, [Any], [String])] = [
      ("TRUEPREDICATE", none, ["r1", "r2", "r3", "r4"]), ("count = 2", none, ["r2"]),
      ("count != 2", none, ["r1", "r3", "r4"]), ("count < %ld", [2], ["r1"]),
      ("count >= %lld AND count <= %d", [2, 3], ["r2", "r3"]),
      ("count BETWEEN %@", [[2, 3]], ["r2", "r3"]), ("count BETWEEN {3, 4}", none, ["r3", "r4"]),
      ("count IN %@", [[1, 4]], ["r1", "r4"]), ("NOT count IN %@", [[1, 4]], ["r2", "r3"]),
      ("title BEGINSWITH %@", ["pear"], ["r3", "r4"]), ("%K = %@", ["title", "pear 3"], ["r3"]),
      ("tags CONTAINS 'even'", none, ["r2", "r4"]), ("%@ IN tags", ["odd"], ["r1", "r3"]),
      ("ANY tags = 'odd'", none, ["r1", "r3"]), ("NONE tags = 'odd'", none, ["r2", "r4"]),
      ("ANY %@ IN tags", [["even", "x"]], ["r2", "r4"]),
      ("ALL %@ IN tags", [["even", "all"]], ["r2", "r4"]),
      ("ANY tags BEGINSWITH 'ev'", none, ["r2", "r4"]),
      (
        "distanceToLocation:fromLocation:(%K, %@) < %f",
        ["place", CLLocation(latitude: 0, longitude: 1), 1_000.0], ["r1"]
      ),
      (
        "link = %@",
        [
          CKRecord.Reference(
            recordID: CKRecord.ID(recordName: "r1", zoneID: fixture.zone), action: .none)
        ],
        ["r1", "r2", "r3", "r4"]
      ),
      ("recordID = %@", [CKRecord.ID(recordName: "r4", zoneID: fixture.zone)], ["r4"]),
      ("creationDate > %@", [Date(timeIntervalSince1970: 0)], ["r1", "r2", "r3", "r4"]),
      ("self CONTAINS %@", ["pear"], ["r3", "r4"]),
    ]
    for (format, arguments, expected) in cases {
      let found = try await names(fixture, format, arguments)
      #expect(found == expected, "\(format)")
    }
  }

  @Test func aCursorContinues() async throws {
    let fixture = try await Self.filled()
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    query.sortDescriptors = [NSSortDescriptor(key: "count", ascending: false)]
    let first = try await fixture.database.records(
      matching: query, inZoneWith: fixture.zone, desiredKeys: ["count"], resultsLimit: 3)
    #expect(first.matchResults.map(\.0.recordName) == ["r4", "r3", "r2"])
    #expect(try first.matchResults.first?.1.get().allKeys() == ["count"])
    let cursor = try #require(first.queryCursor)
    let data = try NSKeyedArchiver.archivedData(withRootObject: cursor, requiringSecureCoding: true)
    let copy = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CKQueryOperation.Cursor.self, from: data))
    let second = try await fixture.database.records(
      continuingMatchFrom: copy, desiredKeys: nil, resultsLimit: CKQueryOperation.maximumResults)
    #expect(second.matchResults.map(\.0.recordName) == ["r1"])
    #expect(second.queryCursor == nil)
  }

  @Test func recordsAreSortedByDistance() async throws {
    let fixture = try await Self.filled()
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    query.sortDescriptors = [
      CKLocationSortDescriptor(
        key: "place", relativeLocation: CLLocation(latitude: 0, longitude: 4.1))
    ]
    let answer = try await fixture.database.records(matching: query, inZoneWith: fixture.zone)
    #expect(answer.matchResults.map(\.0.recordName) == ["r4", "r3", "r2", "r1"])
  }
}
