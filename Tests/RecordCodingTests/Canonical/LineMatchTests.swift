import Foundation
import RecordModel
import TestSupport
import Testing

@testable import RecordCoding

struct LineMatchTests {
  /// Of the records of ``RandomModel``, and such as come before, between and after them.
  private static let fieldNames =
    (0..<8).map { "field\($0)" } + ["a", "field", "field00", "field10", "z"]
  private static let comparators = QueryFilter.Comparator.allCases.filter { !$0.isTextSearch }

  private static func line(_ record: ResultRecord) throws -> [UInt8] {
    let buffer = ByteBuffer()
    try RecordJSONWriter().writeLine(record, database: .shared, to: buffer)
    return Array(buffer.bytes)
  }

  /// Filters whose values are often those of a record.
  private static func filters(
    for record: ResultRecord, _ model: inout RandomModel
  ) -> [QueryFilter] {
    (0..<1 + model.random.below(3)).map { _ in
      let field = record.fields.randomElement(using: &model.random)
      let name = model.chance(60) ? field?.name : nil
      return QueryFilter(
        name ?? model.random.pick(fieldNames), model.random.pick(comparators),
        field.flatMap { model.chance(60) ? $0.value : nil } ?? model.value(),
        distance: model.maybe { abs($0.double()) })
    }
  }

  private static func options(_ model: inout RandomModel) -> QueryMatch.Options {
    var options = QueryMatch.Options()
    guard model.chance(50) else { return options }
    options.converting = { text, type, zoneID in
      switch type {
      case .int64: .int64(Int64(text.utf8.count))
      case .reference:
        .reference(Reference(recordID: RecordID(recordName: text, zoneID: zoneID)))
      default: nil
      }
    }
    return options
  }

  @Test func `the first bytes of a line say what the record says`() throws {
    var model = RandomModel(seed: 8)
    var counts = [true: 0, false: 0]
    for _ in 0..<300 {
      let records = (0..<6).map { _ in model.record() }
      let query = RecordQuery(
        recordType: "T", filters: Self.filters(for: model.random.pick(records), &model))
      let match = QueryMatch(query, Self.options(&model))
      // One object for many records, as lines are read.
      let (reader, lineMatch) = (RecordJSONReader(), try #require(LineMatch(match)))
      for record in records {
        let expected = match.filtersMatch(record)
        try Self.line(record).withUnsafeBytes { line in
          let found = lineMatch.mayMatch(line, reader)
          if reader.readCanonicalLine(line) == nil {
            #expect(found || !expected)
          } else {
            counts[expected, default: 0] += 1
            #expect(found == expected, "\(query) \(record)")
          }
        }
      }
    }
    #expect(counts.values.allSatisfy { $0 > 100 }, "\(counts)")
  }

  @Test func `a filter of a system field or a text search leaves no record out`() throws {
    let record = ResultRecord(
      systemFields: SystemFields(recordID: RecordID(recordName: "n"), recordType: "T"),
      fields: [Field(name: "a", value: .int64(1))])
    let line = try Self.line(record)
    let system = QueryFilter("recordName", .equals, .string("other"))
    let text = QueryFilter(QueryFilter.allText, .containsAllTokens, .string("other"))
    #expect(LineMatch(QueryMatch(RecordQuery(recordType: "T", filters: [system, text]))) == nil)
    for (value, expected) in [(1, true), (2, false)] as [(Int64, Bool)] {
      let filters = [system, QueryFilter("a", .equals, .int64(value)), text]
      let query = RecordQuery(recordType: "T", filters: filters)
      let match = try #require(LineMatch(QueryMatch(query)))
      #expect(line.withUnsafeBytes { match.mayMatch($0, RecordJSONReader()) } == expected)
    }
  }

  @Test func `of a damaged line, no byte before the field is passed over`() throws {
    var model = RandomModel(seed: 9)
    for _ in 0..<40 {
      let record = model.record()
      let line = try Self.line(record)
      let match = QueryMatch(
        RecordQuery(recordType: "T", filters: [QueryFilter("field3", .equals, .string("?"))]))
      let lineMatch = try #require(LineMatch(match))
      for _ in 0..<200 {
        var damaged = line
        damaged[model.random.below(line.count)] = UInt8(truncatingIfNeeded: model.random.next())
        damaged.removeLast(model.chance(20) ? model.random.below(line.count) : 0)
        damaged.withUnsafeBytes { bytes in
          let reader = RecordJSONReader()
          // Only what the whole line says of a canonical record is a reason to leave it out.
          guard !lineMatch.mayMatch(bytes, reader),
            let (_, record) = reader.readCanonicalLine(bytes)
          else { return }
          #expect(!match.filtersMatch(record), "\(String(decoding: bytes, as: UTF8.self))")
        }
      }
    }
  }
}
