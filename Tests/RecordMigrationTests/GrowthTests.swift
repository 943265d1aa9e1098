import Foundation
import RecordModel
import Testing

@testable import RecordMigration

@Suite("Values that grow")
struct GrowthTests {
  private func migrator(_ steps: [MigrationStep]) throws -> Migrator {
    try Migrator([Migration(from: "1", to: "2", steps: steps)])
  }

  @Test(
    "beyond what a record of CloudKit takes are a failure that says so",
    arguments: [
      "a + a + a", "[a, a, a, b]", "replace(a, 'x', 'yyyyyyyy')", "l + l + l + l",
      "upper(a) + lower(a) + a", "list(a, a, a)",
    ])
  func expressions(source: String) throws {
    let text = String(repeating: "x", count: 400_000)
    let record = Sample.record([
      "a": .string(text), "b": .string("b"), "l": .stringList([text]),
    ])
    let failure = try #require(throws: MigrationError.self) {
      try RecordExpression(source).value(for: record)
    }
    #expect(failure.message.contains("1000000 bytes"))
  }

  @Test("a text that is doubled again and again ends the migration, and not the process")
  func doubling() throws {
    var steps: [MigrationStep] = []
    for number in 0..<64 {
      let source = try RecordExpression("f\(number) + f\(number)")
      steps.append(MigrationStep("Note", .addField("f\(number + 1)", .expression(source))))
    }
    let migrator = try migrator(steps)
    let error = try #require(throws: MigrationError.self) {
      try migrator.migrate(Sample.record(["f0": .string("abcdefgh")]))
    }
    #expect("\(error)".contains("1000000 bytes"))
  }

  @Test("so does a plan that makes large values without end")
  func many() throws {
    let text = RecordValue.string(String(repeating: "x", count: 500_000))
    var steps: [MigrationStep] = []
    for _ in 0..<200 {
      steps.append(
        MigrationStep("Note", .addField("g", .expression(try RecordExpression("f + '1'")))))
      steps.append(MigrationStep("Note", .dropField("g")))
    }
    let migrator = try migrator(steps)
    let error = try #require(throws: MigrationError.self) {
      try migrator.migrate(Sample.record(["f": text]))
    }
    #expect("\(error)".contains("created values of more than"))
    // As many values of a normal size are none too many.
    #expect(try migrator.migrate(Sample.record(["f": .string("small")])).count == 1)
  }

  @Test("replaced values are bounded too")
  func mapped() throws {
    let text = RecordValue.string(String(repeating: "x", count: 600_000))
    let map = MigrationAction.ValueMap([.string("s"): text])
    let mapping = try migrator([MigrationStep("Note", .mapValues("a", map), misfit: .skip)])
    #expect(try mapping.migrate(Sample.record(["a": .stringList(["s", "s"])])) == [])
    #expect(try mapping.migrate(Sample.record(["a": .stringList(["s"])])).count == 1)
  }

  @Test("values converted to another type are bounded as values made otherwise")
  func converted() throws {
    let large = 1_000_001
    let text = String(repeating: "x", count: large)
    let data = Data(repeating: 1, count: large)
    let values: [(RecordValue, ValueType)] = [
      (.string(text), .bytes), (.asset(Asset(data: data)), .bytes),
      (.bytes(Data(text.utf8)), .string), (.string(text), .stringList),
      (.stringList([text]), .bytesList), (.stringList([text]), .string),
      (.int64List(Array(repeating: 1_000_000_000, count: 100_001)), .stringList),
    ]
    for (value, type) in values {
      let steps = [MigrationStep("Note", .convert("a", Conversion(to: type)))]
      let migrator = try migrator(steps)
      let error = try #require(throws: MigrationError.self) {
        try migrator.migrate(Sample.record(["a": value]))
      }
      #expect("\(error)".contains("1000000 bytes"), "\(error)")
    }
    for source in ["trim(a)", "part(a, ',', 0)"] {
      let failure = try #require(throws: MigrationError.self) {
        try RecordExpression(source).value(for: Sample.record(["a": .string(text + ",b")]))
      }
      #expect(failure.message.contains("1000000 bytes"))
    }
    // As large as allowed.
    let most = String(repeating: "x", count: 1_000_000)
    let migrator = try migrator([MigrationStep("Note", .convert("a", Conversion(to: .bytes)))])
    #expect(try migrator.migrate(Sample.record(["a": .string(most)])).count == 1)
    // An asset is not a value in the record: its size is not limited.
    let assets = try self.migrator([
      MigrationStep("Note", .convert("a", Conversion(to: .asset)))
    ])
    #expect(try assets.migrate(Sample.record(["a": .bytes(data)])).count == 1)
  }
}
