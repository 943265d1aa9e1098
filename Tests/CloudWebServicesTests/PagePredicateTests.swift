import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import RecordStore
import Testing

/// Predicates, whose text may stand for a date or a reference, find records in any order.
@Suite struct PagePredicateTests {
  private static let zoneID = ZoneID(zoneName: "Notes")
  private static let day = 86_400.0

  let client: WebClient

  init() throws {
    client = try WebClient(page: .withServices)
    try client.container.store.importTransaction { writer in
      try writer.add(RecordZone(zoneID: Self.zoneID), to: .private)
      for number in 0..<40 { try writer.add(Self.record(number), to: .private) }
    }
  }

  private static func id(_ number: Int) -> RecordID {
    RecordID(recordName: "n\(10 + number)", zoneID: zoneID)
  }

  private static func date(_ number: Int) -> Date {
    // 2025-01-01
    Date(timeIntervalSince1970: 1_735_689_600 + Double(number) * day)
  }

  /// A record of a day of January or February 2025, and one of each kind of value.
  private static func record(_ number: Int) -> ResultRecord {
    let stamp = RecordStamp(date: date(number), userRecordName: "_user\(number % 3)")
    var fields = [
      Field(name: "number", value: .int64(Int64(number / 4))),
      Field(name: "date", value: .timestamp(date(number))),
      Field(name: "dates", value: .timestampList([date(number), date(number + 1)])),
      Field(name: "other", value: .reference(Reference(recordID: id(number / 8)))),
      Field(name: "others", value: .referenceList([Reference(recordID: id(number / 2))])),
      // Text of an odd record, and a date of an even one.
      Field(
        name: "mixed",
        value: number % 2 == 1 ? .string("2025-01-\(10 + number)") : .timestamp(date(number))),
    ]
    if number % 5 == 0 { fields.removeLast() }
    let system = SystemFields(
      recordID: id(number), recordType: "Note", created: stamp, modified: stamp)
    return ResultRecord(systemFields: system, fields: fields)
  }

  private func found(_ predicate: String, sort: String) async throws -> [String] {
    var path: String? =
      "/page/\(WebClient.identifier)/development/records?database=private&zone=Notes&type=Note"
      + "&limit=25&sort=\(sort)&where="
      + (predicate.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    var names: [String] = []
    while let next = path {
      let page = try await client.send(WebRequest("GET", next)).text
      #expect(!page.contains("role=\"alert\""))
      names += page.matches(of: /<tr><td><a href="[^"]*"><bdi>([^<]*)</).map { String($0.1) }
      path = page.firstMatch(of: /rel="next" href="([^"]*)"/).map {
        String($0.1).replacing("&amp;", with: "&")
      }
    }
    return names
  }

  private static let predicates: [(text: String, matches: @Sendable (Int) -> Bool)] = [
    ("date > '2025-01-11'", { $0 > 10 }), ("date <= '2025-01-11'", { $0 <= 10 }),
    ("date = '2025-01-11'", { $0 == 10 }),
    ("date BETWEEN {'2025-01-03', '2025-01-05'}", { (2...4).contains($0) }),
    ("date IN {'2025-01-03', '2025-01-05'}", { $0 == 2 || $0 == 4 }),
    ("date != '2025-01-11'", { $0 != 10 }),
    ("creationDate > '2025-01-11'", { $0 > 10 }),
    ("modificationDate < '2025-01-11' AND number > 0", { $0 < 10 && $0 >= 4 }),
    ("dates CONTAINS '2025-01-11'", { $0 == 9 || $0 == 10 }),
    ("other = 'n12'", { $0 / 8 == 2 }), ("other IN {'n12', 'n13'}", { [2, 3].contains($0 / 8) }),
    ("others CONTAINS 'n12'", { $0 / 2 == 2 }), ("recordID = 'n12'", { $0 == 2 }),
    ("recordID IN {'n12', 'n30'}", { $0 == 2 || $0 == 20 }),
    ("creatorUserRecordID = '_user1'", { $0 % 3 == 1 }),
    ("mixed > '2025-01-21'", { $0 % 5 != 0 && ($0 % 2 == 1 ? $0 > 11 : $0 > 20) }),
    ("number < 5 AND (date = '2025-01-03' OR recordName = 'n10')", { $0 == 0 || $0 == 2 }),
    ("NOT has mixed OR NOT (date <= '2025-01-30')", { $0 % 5 == 0 || $0 > 29 }),
    ("mixed BEGINSWITH '2025-01-2'", { $0 % 5 != 0 && $0 % 2 == 1 && (10..<20).contains($0) }),
  ]

  @Test(arguments: predicates.indices)
  func `the records that match are found`(_ index: Int) async throws {
    let (text, matches) = Self.predicates[index]
    let expected = (0..<40).filter(matches).map { Self.id($0).recordName }
    for sort in ["", "number", "-number", "date", "-modificationDate", "-recordID", "mixed"] {
      let names = try await found(text, sort: sort)
      #expect(names.sorted() == expected, "\(text), \(sort)")
      let order = ["", "number", "date"].contains(sort) ? expected : expected.reversed()
      if sort != "mixed", sort != "-number" { #expect(names == order, "\(text), \(sort)") }
    }
  }
}
