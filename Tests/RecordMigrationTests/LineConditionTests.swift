import RecordModel
import TestSupport
import Testing

@testable import RecordCoding
@testable import RecordMigration

struct LineConditionTests {
  private static let conditions = [
    "has(a)", "a == 7", "a != 7", "a > 'b'", "length(a) > 3", "not has(b) and has(c)",
    "a + 1 > 2", "recordName < 'n500'", "creationDate > 0", "b or c", "a == null", "1 / b > 0",
    "'x'", "field('a') == b",
  ]

  @Test func `a line is left out where the record is`() throws {
    var random = SeededGenerator(11)
    var counts = [true: 0, false: 0]
    for source in Self.conditions {
      let expression = try RecordExpression(source)
      let (condition, reader) = (LineCondition(expression), RecordJSONReader())
      for record in Sample.alike(20, &random) {
        let buffer = ByteBuffer()
        // An asset that was not saved has no JSON.
        guard (try? RecordJSONWriter().writeLine(record, database: .private, to: buffer)) != nil
        else { continue }
        // A record for which it has no value is not left out: it is told.
        let expected = (try? expression.holds(for: record)) ?? true
        counts[expected, default: 0] += 1
        #expect(condition.mayHold(buffer.bytes, reader) == expected, "\(source) \(record)")
      }
    }
    #expect(counts.values.allSatisfy { $0 > 100 }, "\(counts)")
  }
}
