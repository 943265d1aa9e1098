import Foundation
import RecordCoding
import RecordModel

@testable import RecordSchema

/// Records and subscriptions out of a text of bundle lines, in which `REPEAT(5)` stands for `xxxxx`.
enum RecordFile {
  static func census(_ text: String, source: String = "records.jsonl") throws -> RecordCensus {
    var census = RecordCensus(source: source)
    var records: [(record: ResultRecord, database: DatabaseScope)] = []
    for line in text.split(separator: "\n") {
      let expanded = line.replacing(/REPEAT\((\d+)\)/) { match in
        String(repeating: "x", count: Int(match.1) ?? 0)
      }
      let json = try JSONParser.parse(Array(expanded.utf8))
      guard let database = json["database"]?.string.flatMap(DatabaseScope.init(rawValue:)) else {
        throw RecordCodingError(path: "database", found: "nothing", expected: "a database")
      }
      let members = (json.members ?? []).filter { $0.name != "kind" && $0.name != "database" }
      let content = JSONValue(.object(members), offset: json.offset)
      if json["kind"]?.string == "subscription" {
        census.add(try CloudSubscription(json: content), in: database)
      } else {
        let record = try ResultRecord(json: content)
        records.append((record, database))
        try census.add(record, in: database)
      }
    }
    var relationships = RelationshipCheck(source: source)
    let names = Set(records.map { CompactName($0.record.recordID.recordName) })
    for (record, database) in records {
      try relationships.add(record, in: database, among: names)
    }
    relationships.add(to: &census)
    return census
  }
}

extension JSONParser {
  fileprivate static func parse(_ bytes: [UInt8]) throws -> JSONValue {
    try bytes.withUnsafeBytes { try parse($0) }
  }
}
