#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import Foundation
import Testing
import XCTest

@Suite struct PredicateTests {
  private func names(matching predicate: NSPredicate) async throws -> [String] {
    let fixture = try await Fixture.withZone()
    let records = (1...4).map { index in
      let record = fixture.record("r\(index)")
      record["count"] = index
      record["title"] = "Title \(index)"
      record["when"] = Date(timeIntervalSince1970: Double(index))
      record["tags"] = ["t\(index)", "all"]
      return record
    }
    _ = try await fixture.database.modifyRecords(saving: records, deleting: [])
    let query = CKQuery(recordType: "Note", predicate: predicate)
    query.sortDescriptors = [NSSortDescriptor(key: "count", ascending: false)]
    let results = try await fixture.database.records(matching: query, inZoneWith: fixture.zone)
    return results.matchResults.map(\.0.recordName)
  }

  @Test func formatsTakeArgumentsOfAnyType() async throws {
    let (date, tags) = (Date(timeIntervalSince1970: 2), ["t1", "t4"])
    let predicates = [
      NSPredicate(format: "count > %d", 2), NSPredicate(format: "%K > %ld", "count", 2),
      NSPredicate(format: "when > %@", date as CVarArg),
      NSPredicate(format: "when > %@", date as NSDate),
      NSPredicate(format: "count > %@", NSNumber(value: 2)),
      NSPredicate(format: "title IN %@", ["Title 3", "Title 4"]),
      NSPredicate(format: "title IN %@ AND count >= 3", ["Title 3", "Title 4"] as CVarArg),
      NSPredicate(format: "%K BETWEEN %@", argumentArray: ["count", [3, 4]]),
      NSCompoundPredicate(andPredicateWithSubpredicates: [
        NSPredicate(format: "count != 1"), NSPredicate(format: "NOT (count = %d)", 2),
      ]),
    ]
    for predicate in predicates {
      #expect(try await names(matching: predicate) == ["r4", "r3"], "\(predicate)")
    }
    #expect(
      try await names(matching: NSPredicate(format: "ANY tags IN %@", tags)) == ["r4", "r1"])
    #expect(try await names(matching: NSPredicate(value: true)).count == 4)
    #expect(try await names(matching: NSPredicate(format: "TRUEPREDICATE")).count == 4)
  }

  /// The forms of a list with a record.
  enum Form: CaseIterable {
    case ids, records, references, array, set, swiftSet, orderedSet, mixed

    func list(_ record: CKRecord, _ other: CKRecord) -> Any {
      let reference = CKRecord.Reference(record: record, action: .none)
      return switch self {
      case .ids: [record.recordID]
      case .records: [record]
      case .references: [reference]
      case .array: NSArray(array: [record.recordID])
      case .set: NSSet(array: [record.recordID, other.recordID])
      case .swiftSet: Set([record.recordID, other.recordID])
      case .orderedSet: NSOrderedSet(array: [record])
      case .mixed: [record, other.recordID, reference] as [Any]
      }
    }
  }

  @Test(arguments: Form.allCases)
  func aListCanHaveRecordsAndTheirIdentifiers(form: Form) async throws {
    let fixture = try await Fixture.withZone()
    let (a, b) = (fixture.record("a"), fixture.record("b"))
    b["r"] = CKRecord.Reference(record: a, action: .none)
    _ = try await fixture.database.modifyRecords(saving: [a, b], deleting: [])
    let list = form.list(a, fixture.record("none"))
    let expected: [(NSPredicate, [String])] = [
      (NSPredicate(format: "r IN %@", argumentArray: [list]), ["b"]),
      (NSPredicate(format: "recordID IN %@", argumentArray: [list]), ["a"]),
      (NSPredicate(format: "NOT (recordID IN %@)", argumentArray: [list]), ["b"]),
      (
        NSCompoundPredicate(andPredicateWithSubpredicates: [
          NSPredicate(format: "r == %@", a.recordID),
          NSPredicate(format: "NOT (recordID IN %@)", argumentArray: [list]),
        ]), ["b"]
      ),
    ]
    for (predicate, names) in expected {
      let query = CKQuery(recordType: "Note", predicate: predicate)
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: query, requiringSecureCoding: true)
      let copy = try #require(
        try NSKeyedUnarchiver.unarchivedObject(ofClass: CKQuery.self, from: data))
      for query in [query, copy] {
        let found = try await fixture.database.records(matching: query, inZoneWith: fixture.zone)
        #expect(found.matchResults.map(\.0.recordName) == names)
      }
    }
    let subscription = CKQuerySubscription(
      recordType: "Note", predicate: expected[0].0, options: .firesOnRecordCreation)
    subscription.notificationInfo = .init(shouldSendContentAvailable: true)
    _ = try await fixture.database.save(subscription)
  }

  @Test func theDescriptionHasTheArguments() {
    let predicate = NSPredicate(format: "%K >= %d AND title = %@", "count", 3, "x")
    #expect(predicate.description == "count >= 3 AND title = \"x\"")
    #expect(predicate == NSPredicate(format: "count >= 3 AND title = \"x\""))
    #expect(predicate != NSPredicate(format: "count >= 4"))
    #expect(NSPredicate(format: "a IN %@", [1, 2]).description == "a IN {1, 2}")
  }

  @Test func sortDescriptorsHaveTheirKeys() {
    let descriptor = NSSortDescriptor(key: "a", ascending: false)
    #expect(descriptor.key == "a" && !descriptor.ascending)
    let place = CKLocationSortDescriptor(
      key: "place", relativeLocation: CLLocation(latitude: 1, longitude: 2))
    let descriptors: [NSSortDescriptor] = [descriptor, place]
    #expect(descriptors.map(\.key) == ["a", "place"])
    #expect(descriptor == NSSortDescriptor(key: "a", ascending: false))
  }

  static let refused: [(String, [any Sendable])] = [
    ("a = 1 OR b = 2", []), ("a = ", []), ("a ~ 1", []), ("a.b = 1", []), ("parent = %@", ["x"]),
    ("a = %@", []), ("a LIKE 'x*'", []), ("a ENDSWITH 'x'", []), ("a = b", []),
    ("NOT (a = 1 AND b = 2)", []), ("NOT a < 1", []), ("FALSEPREDICATE", []),
    ("a =[c] 'x'", []), ("(a = 1", []), ("a = 'x", []), ("%K = 1", [3]), ("a = %d", ["x"]),
    ("ALL tags = 'x'", []), ("a BETWEEN {1}", []), ("a = 1 b", []),
  ]

  @Test(arguments: refused.indices)
  func whatCloudKitDoesNotSupportIsRefused(index: Int) async throws {
    let (format, arguments) = Self.refused[index]
    let fixture = try await Fixture.withZone()
    let query = CKQuery(
      recordType: "Note", predicate: NSPredicate(format: format, argumentArray: arguments))
    let error = await ckError {
      try await fixture.database.records(matching: query, inZoneWith: fixture.zone)
    }
    #expect(error?.code == .invalidArguments, "\(format)")
  }
}
