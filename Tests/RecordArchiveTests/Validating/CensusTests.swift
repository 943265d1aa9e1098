import Foundation
import RecordBundle
import RecordCoding
import RecordModel
import RecordSchema
import Testing

@testable import RecordStore
@testable import RecordArchive

@Suite("Counting records of all sources")
struct CensusTests {
  static func record(_ number: Int) -> ResultRecord {
    var fields = [Field(name: "n", value: .int64(Int64(number)))]
    if number % 2 == 0 { fields.append(Field(name: "s", value: .string("a"), isEncrypted: true)) }
    if number % 5 == 0 { fields.append(Field(name: "e", value: .emptyList)) }
    if number % 7 == 0 {
      fields.append(Field(name: "u", value: .unknown(type: "PACKAGE", json: .null)))
    }
    if number % 11 == 0 {
      let place = Location(latitude: number % 2 == 0 ? 91 : 90, longitude: -180)
      fields.append(Field(name: "p", value: .location(place), isEncrypted: number % 3 == 0))
    }
    if number % 49 == 0 {
      let list = Array(repeating: Int64(number % 10), count: number % 2 == 0 ? 126_000 : 124_000)
      fields.append(Field(name: "z", value: .int64List(list)))
    }
    let names = ["_", "_x", "\u{E9}", "a\u{1}b", "quote\"", String(repeating: "n", count: 256)]
    let name = number % 9 == 0 ? names[number / 9 % names.count] : "r\(number + 100)"
    let zone = number % 13 == 0 ? ZoneID(zoneName: "z\u{FC}") : ZoneID(zoneName: "Notes")
    return ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: zone), recordType: "T\(number % 3)"),
      fields: fields.sorted { $0.name < $1.name })
  }

  @Test("canonical lines and whole records count the same")
  func lines() throws {
    let reader = RecordJSONReader()
    let writer = RecordJSONWriter()
    let buffer = ByteBuffer()
    var scanned = RecordCensus(source: "a")
    var whole = RecordCensus(source: "a")
    for number in 0..<100 {
      let record = Self.record(number)
      buffer.reset()
      try writer.writeLine(record, database: .private, to: buffer)
      try scanned.add(buffer.bytes, reader)
      try whole.add(record, in: .private)
    }
    let document = SchemaDocument(parsing: "DEFINE SCHEMA RECORD TYPE T0 (n STRING, s STRING);")
    let checker = SchemaChecker()
    let report = try checker.validate(whole, against: document).text(as: .json)
    #expect(try checker.validate(scanned, against: document).text(as: .json) == report)
    let rules = [
      "RECORD_VALUE_ENCRYPTED", "RECORD_NAME_LENGTH", "RECORD_NAME_CHARACTERS", "RECORD_ZONE_NAME",
      "RECORD_LOCATION_RANGE", "RECORD_TOO_LARGE",
    ]
    for rule in rules { #expect(report.contains(rule), "\(rule)") }
    let (a, b) = (whole, scanned)
    #expect(SchemaInference().infer(from: a) == SchemaInference().infer(from: b))
  }

  @Test("a record that cannot be read ends the count of a container with its name")
  func unreadable() throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      try ContainerStore.build(path: path) { writer in
        try writer.add(RecordZone(zoneID: ZoneID(zoneName: "Z")), to: .private)
        for number in 100..<400 {
          let id = RecordID(recordName: "r\(number)", zoneID: ZoneID(zoneName: "Z"))
          let system = SystemFields(recordID: id, recordType: "T")
          let text = Field(name: "t", value: .string(String(repeating: "x", count: 20_000)))
          try writer.add(ResultRecord(systemFields: system, fields: [text]), to: .private)
        }
      }
      let container = try ContainerStore.open(path: path)
      let source = ArchiveSource.container(container)
      let broken = [
        "\"value\":\"xx": "\"value\":xx", "\"recordName\":\"r399\"": "\"recordName\":\"r9\"",
      ]
      for (good, bad) in broken {
        try container.connections.write { db in
          try db.run(
            "UPDATE record SET json = CAST(replace(json, ?, ?) AS BLOB) WHERE name = 'r399'",
            [good, bad])
        }
        for threads in [1, 3] {
          let error = #expect(throws: ContainerStoreError.self) {
            try source.census(named: "a", threads: threads)
          }
          let text = error.map { "\($0)" } ?? ""
          #expect(text.contains("record 'r399' of the zone 'Z'"), "\(text)")
          #expect(text.contains("in the private database of '\(path)'"), "\(text)")
        }
      }
    }
  }

  private static let corpus = Place.corpus("web-services")?.path

  @Test(
    "the schema made of real responses takes them all",
    .enabled(if: corpus != nil, "the corpus of real responses is not on this machine"))
  func realResponses() throws {
    let sources = try ResponseSource.sources(at: try #require(Self.corpus))
    let census = try ArchiveSource.responses(ResponseSet(sources)).census(named: "responses")
    #expect(census.recordCount >= 200)
    for indexes in SchemaInference.Indexes.allCases {
      let inferred = SchemaInference(indexes: indexes).infer(from: census)
      let document = SchemaDocument(inferred.schema, name: "inferred")
      let findings = try SchemaChecker().validate(census, against: document).findings
      // A type that the server makes for an app of Apple's has names that apps may not use.
      #expect(
        findings.map { "\($0.rule) \($0.subject)" } == ["RECORD_NAME_CHARACTERS CheckIndexingState"]
      )
      #expect(!(try SchemaChecker().validate(document).fails(at: .warning)))
      let extended = CloudSchema().extended(by: census, indexes: indexes)
      #expect(SchemaDiff(from: extended.schema, to: inferred.schema).isEmpty)
    }
  }
}
