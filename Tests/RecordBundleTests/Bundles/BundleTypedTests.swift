import Foundation
import RecordCoding
import RecordModel
import Testing

@testable import RecordBundle

@Suite("Reading Swift types from a bundle")
struct BundleTypedTests {
  private static let types = ["A", "B", "C"]
  private static let zoneIDs = ["Chats", "Notes"].map { ZoneID(zoneName: $0) }

  /// A bundle with records of some types in some zones of two databases.
  private static func bundle(
    in folder: String, frameSize: Int, _ zoneIDs: [ZoneID], _ types: [String]
  ) throws -> BundleReader {
    let path = "\(folder)/a.recordpack"
    let writer = try BundleWriter(
      path: path, container: SampleContent(records: 0).container,
      options: .test(frameSize: frameSize))
    let scopes = [DatabaseScope.private, .shared].sorted { $0.rank < $1.rank }
    for scope in scopes {
      for zoneID in zoneIDs { try writer.write(RecordZone(zoneID: zoneID), database: scope) }
    }
    for scope in scopes {
      for zoneID in zoneIDs {
        for type in types {
          for number in 0..<3 {
            let recordID = RecordID(recordName: "\(type)\(number)", zoneID: zoneID)
            let record = ResultRecord(
              systemFields: SystemFields(recordID: recordID, recordType: type),
              fields: [Field(name: "text", value: .string("é\n\(number)"))])
            try writer.write(record, database: scope)
          }
        }
      }
    }
    _ = try writer.finish()
    return try BundleReader(path: path)
  }

  private static let filters: [RecordFilter] = {
    var filters = [RecordFilter.all]
    for type in types { filters.append(RecordFilter(recordTypes: [type])) }
    filters.append(RecordFilter(recordTypes: ["A", "C"]))
    for zoneID in zoneIDs {
      filters.append(RecordFilter(zoneIDs: [zoneID]))
      filters.append(RecordFilter(databases: [.shared], zoneIDs: [zoneID], recordTypes: ["B"]))
    }
    filters.append(RecordFilter(databases: [.private]))
    filters.append(RecordFilter(databases: [.shared], recordTypes: ["A", "B"]))
    filters.append(RecordFilter(recordTypes: []))
    filters.append(RecordFilter(modifiedSince: Date(timeIntervalSinceReferenceDate: 0)))
    return filters
  }()

  @Test(
    "A filter takes the same records as Swift types and as records, however frames are cut",
    arguments: [300, 2000, 1 << 20], [(zoneIDs, types), ([zoneIDs[0]], ["B"])])
  func filter(frameSize: Int, content: ([ZoneID], [String])) throws {
    try withFolder { folder in
      let bundle = try Self.bundle(
        in: folder, frameSize: frameSize, content.0, content.1)
      for filter in Self.filters {
        var expected: [Found] = []
        var typed: [Found] = []
        var onlyB: [Found] = []
        try bundle.forEachRecord(filter) { record, scope in
          expected.append(Found(Row(record.recordID, record["text"]), scope))
        }
        try bundle.forEach(Row.self, filter) { typed.append(Found($0, $1)) }
        try bundle.forEach(RowB.self, filter) { onlyB.append(Found($0.row, $1)) }
        #expect(typed == expected, "\(filter)")
        let expectedB = expected.filter { $0.row.recordID.recordName.hasPrefix("B") }
        #expect(onlyB == expectedB, "\(filter)")
      }
    }
  }
}

private struct Found: Hashable {
  var row: Row
  var scope: DatabaseScope

  init(_ row: Row, _ scope: DatabaseScope) { (self.row, self.scope) = (row, scope) }
}

private struct Row: RecordDecodable, Hashable {
  var recordID: RecordID
  var text: String?

  init(_ recordID: RecordID, _ text: String?) { (self.recordID, self.text) = (recordID, text) }

  init(from record: inout RecordView) throws {
    recordID = record.recordID
    text = try record.string("text")
  }
}

private struct RowB: TypedRecord {
  static let recordType = "B"
  var row: Row
  var recordID: RecordID { row.recordID }

  init(from record: inout RecordView) throws { row = try Row(from: &record) }

  func update(_ draft: inout DraftRecord) throws {}
}
