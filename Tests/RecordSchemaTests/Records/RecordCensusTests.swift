import RecordModel
import Testing

@testable import RecordSchema

@Suite("Counting what records hold")
struct RecordCensusTests {
  /// Records of a few types, whose fields come and go.
  static func records(_ count: Int, seed: UInt64) -> [(DatabaseScope, ResultRecord)] {
    var random = SeededGenerator(seed)
    return (0..<count).map { number in
      let fields = RecordValidatorTests.values.filter { $0.0.typeName != "PACKAGE" }
        .enumerated().compactMap { index, value -> Field? in
          guard random.next() % 3 == 0 else { return nil }
          return Field(name: "f\(index / 3)", value: value.1, isEncrypted: value.0.isEncrypted)
        }
      let type = "T\(random.next() % 3)"
      let scope = DatabaseScope.allCases[Int(random.next() % 3)]
      return (scope, RecordValidatorTests.record("r\(number)", type, fields))
    }
  }

  static func census(_ records: some Sequence<(DatabaseScope, ResultRecord)>) throws -> RecordCensus
  {
    var census = RecordCensus(source: "records")
    for (database, record) in records { try census.add(record, in: database) }
    return census
  }

  @Test("censuses of parts make the census of the whole, wherever it is cut", arguments: 1...6)
  func parts(_ seed: UInt64) throws {
    let records = Self.records(60, seed: seed)
    let whole = try Self.census(records)
    for size in [1, 7, 31, 100] {
      var sum = RecordCensus(source: "records")
      for start in stride(from: 0, to: records.count, by: size) {
        try sum.add(Self.census(records[start..<min(start + size, records.count)]))
      }
      #expect(sum.recordCount == whole.recordCount)
      #expect(sum.types.map(\.key) == whole.types.map(\.key))
      for (part, type) in zip(sum.byType, whole.byType) {
        #expect(part.records == type.records)
        #expect(part.fields.map(\.key) == type.fields.map(\.key))
        #expect(part.fields.map(\.count) == type.fields.map(\.count))
      }
    }
  }

  @Test("lengths are measured on request, of texts in bytes and of lists in elements")
  func lengths() throws {
    let texts = ["a", "äö", ""].map { [Field(name: "t", value: .string($0))] }
    let lists = [[1, 2], [3]].map { [Field(name: "l", value: .int64List($0))] }
    let records = (texts + lists).enumerated().map {
      RecordValidatorTests.record("r\($0.offset)", "T", $0.element)
    }
    var census = RecordCensus(source: "records", measuresLengths: true)
    for record in records { try census.add(record, in: .private) }
    let fields = try #require(census.byType.first).fields
    #expect(fields.map(\.name) == ["l", "t"])
    #expect(fields.map(\.lengths.count) == [2, 3])
    #expect(fields.map(\.lengths.max) == [2, 4])
    #expect(fields.map(\.lengths.mean) == [1.5, 5.0 / 3])
    #expect(try Self.census(records.map { (.private, $0) }).byType[0].fields[0].lengths.mean == nil)
  }

  @Test("the first records of each kind are the examples")
  func examples() throws {
    let records = (0..<10).map {
      (
        DatabaseScope.private,
        RecordValidatorTests.record("r\($0)", "T", [Field(name: "f", value: .int64(1))])
      )
    }
    let schema = SchemaDocument(
      parsing: "DEFINE SCHEMA RECORD TYPE T (g INT64, GRANT READ TO \"_world\");")
    let finding = try SchemaChecker().validate(Self.census(records), against: schema).findings.first
    #expect(finding?.records?.count == 10)
    #expect(finding?.records?.examples.map(\.recordID.recordName) == ["r0", "r1", "r2"])
  }

  @Test("more kinds of values than a schema can hold are refused, not gathered")
  func bound() throws {
    var census = RecordCensus(source: "many")
    func fill() throws {
      for number in 0..<2000 {
        let fields = (0..<100).map { Field(name: "f\(number)_\($0)", value: .int64(1)) }
        try census.add(RecordValidatorTests.record("r", "T", fields), in: .private)
      }
    }
    #expect(throws: SchemaError.self) { try fill() }
  }
}
