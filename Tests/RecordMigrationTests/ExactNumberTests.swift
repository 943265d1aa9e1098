import RecordModel
import Testing

@testable import RecordMigration

@Suite("Integers and doubles")
struct ExactNumberTests {
  private func holds(_ source: String, _ a: RecordValue, _ b: RecordValue) throws -> Bool {
    let value = try RecordExpression(source).value(for: Sample.record(["a": a, "b": b]))
    return value == .bool(true)
  }

  @Test("are compared to the last bit, also where a double holds no such integer")
  func compared() throws {
    #expect(try holds("a > b", .int64(9_007_199_254_740_993), .double(9_007_199_254_740_992)))
    #expect(try !holds("a == b", .int64(9_007_199_254_740_993), .double(9_007_199_254_740_992)))
    #expect(try holds("a < b", .int64(.max), .double(0x1p63)))
    #expect(try holds("a == b", .int64(.min), .double(-0x1p63)))
    #expect(try holds("a < b", .double(-.greatestFiniteMagnitude), .int64(.min)))
    #expect(try holds("a < b and b > a", .int64(2), .double(2.5)))
    #expect(try holds("a > b and b < a", .int64(-2), .double(-2.5)))
    #expect(try holds("a <= b and a >= b and a == b", .int64(0), .double(-0.0)))
  }

  @Test("have one order, whichever way it is asked", arguments: 0..<3)
  func order(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    for _ in 0..<200 {
      let integer = Int64(bitPattern: random.next()) >> Int64(random.below(63))
      let near = Double(integer)
      let double = random.pick([near, near.nextUp, near.nextDown, near + 0.5, -near])
      // The model: both as whole numbers, and then the fraction.
      let whole = double.rounded(.down)
      let isLess =
        whole >= 0x1p63 || (whole >= -0x1p63 && integer < Int64(whole))
        || Int64(exactly: whole) == integer && double > whole
      let isEqual = Int64(exactly: double) == integer
      let (a, b) = (RecordValue.int64(integer), RecordValue.double(double))
      #expect(try holds("a < b", a, b) == isLess, "\(integer) \(double)")
      #expect(try holds("b > a", a, b) == isLess)
      #expect(try holds("a <= b", a, b) == (isLess || isEqual))
      #expect(try holds("a == b", a, b) == isEqual)
      #expect(try holds("a > b", a, b) == !(isLess || isEqual))
    }
  }

  @Test("are not added where the integer would become another number")
  func added() throws {
    let record = Sample.record(["a": .int64(9_007_199_254_740_993), "b": .double(0.5)])
    #expect(throws: MigrationError.self) { try RecordExpression("a + b").value(for: record) }
    let other = Sample.record(["a": .int64(9_007_199_254_740_992), "b": .double(-1)])
    #expect(
      try RecordExpression("a + b").value(for: other) == .value(.double(9_007_199_254_740_991)))
  }
}
