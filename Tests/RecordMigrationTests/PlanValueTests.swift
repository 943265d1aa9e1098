import RecordModel
import Testing

@testable import RecordMigration

@Suite("Values in plans, and what is said of values that do not fit")
struct PlanValueTests {
  private static let head = "recordpack-migration: 1\nfrom: v1\nto: v2\nsteps:\n  - "

  private func migrator(_ step: String) throws -> Migrator {
    try Migrator([MigrationPlan(yaml: Self.head + "{\(step)}\n").migration])
  }

  @Test(
    "are no null, and are not rounded",
    arguments: [
      (
        "do: add-field, type: A, field: z, value: null", 47,
        "null is no value; quote a text: 'null'"
      ),
      ("do: add-field, type: A, field: z, value: ~", 47, "quote a text: '~'"),
      ("do: add-field, type: A, field: z, value: [null, a]", 48, "null is no value"),
      ("do: add-field, type: A, field: z, as: STRING, value: null", 59, "null is no value"),
      ("do: map-values, type: A, field: z, values: {\"1\": null}", 55, "null is no value"),
      ("do: map-values, type: A, field: z, values: {\"1\": }", 55, "quote a text: ''"),
      ("do: map-values, type: A, field: z, values: {null: 1}", 50, "null is no value"),
      (
        "do: map-values, type: A, field: z, values: {1: 2}, otherwise: {value: null}", 76,
        "null is no value"
      ),
      (
        "do: add-field, type: A, field: z, value: 9223372036854775809", 47,
        "exceeds 64 bits; for a double, write 9223372036854775809.0"
      ),
      (
        "do: add-field, type: A, field: z, value: [1, -9223372036854775809]", 51,
        "exceeds 64 bits"
      ),
    ])
  func rejected(step: String, column: Int, part: String) throws {
    let error = #expect(throws: MigrationError.self) { try migrator(step) }
    let location = try #require(error?.location)
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    #expect(location.line == 5 && location.column == column, "\(location)")
  }

  @Test(
    "may be Booleans in any case, and any text in quotes or with its type",
    arguments: [
      ("value: True", .int64(1)), ("value: FALSE", .int64(0)), ("value: 'null'", .string("null")),
      ("value: \"True\"", .string("True")), ("value: nullable", .string("nullable")),
      ("as: STRING, value: 9223372036854775809", .string("9223372036854775809")),
      ("value: 9223372036854775807", .int64(.max)), ("value: 1e20", .double(1e20)),
    ] as [(String, RecordValue)])
  func accepted(keys: String, value: RecordValue) throws {
    let results = try migrator("do: add-field, type: Note, field: z, \(keys)")
      .migrate(Sample.record([:]))
    #expect(results[0].field(named: "z")?.value == value)
  }

  @Test(
    "that do not fit name the policies of the step",
    arguments: [
      ("do: rename-records, type: Note, name: \"''\"", "; 'misfit: skip' in the step"),
      ("do: leave-behind, type: Note, where: \"s > 1\"", "; 'misfit: skip' in the step"),
      (
        "do: add-field, type: Note, field: z, expression: number(s)",
        "; 'misfit: skip' or 'null' in the step"
      ),
      (
        "do: convert, type: Note, field: s, to: INT64",
        "; 'misfit: skip', 'null' or 'keep-in' in the step"
      ),
    ])
  func policies(step: String, part: String) throws {
    let error = #expect(throws: MigrationError.self) {
      try migrator(step).migrate(Sample.record(["s": .string("x")]))
    }
    #expect(error?.code == .misfit && error?.message.contains(part) == true, "\(error as Any)")
  }

  @Test(
    "references with a name that no record can have",
    arguments: ["", String(repeating: "n", count: 256)])
  func references(name: String) throws {
    let record = Sample.record(["s": .string(name)])
    let step = "do: add-field, type: Note, field: r, expression: reference(s)"
    let error = #expect(throws: MigrationError.self) { try migrator(step).migrate(record) }
    #expect(error?.code == .misfit && error?.message.contains("not a valid record name") == true)
    let results = try migrator(step + ", misfit: null").migrate(record)
    #expect(results.map { $0.allKeys() } == [["s"]])
    #expect(try migrator(step + ", misfit: skip").migrate(record).isEmpty)
  }

  @Test(
    "numbers in texts may have a sign, zeros and no digit before the point",
    arguments: [
      ("007", 7), ("+7", 7), ("-007", -7), ("07.5", 7.5), (".5", 0.5), ("-.5", -0.5), ("000", 0),
      ("00e1", 0), ("+-7", nil), ("", nil), ("+", nil), (".", nil), ("e5", nil), ("0x7", nil),
    ] as [(String, Double?)])
  func numbers(text: String, number: Double?) throws {
    let record = Sample.record(["s": .string(text)])
    let step = "do: convert, type: Note, field: s, to: DOUBLE"
    let results = try? migrator(step).migrate(record)
    #expect(results?[0].field(named: "s")?.value == number.map { .double($0) })
  }

  @Test("a folder whose plans end in two versions names the option that chooses one")
  func ends() throws {
    try withFolder { folder in
      for to in ["v2", "v3"] {
        try "recordpack-migration: 1\nfrom: v1\nto: \(to)\nsteps: []\n".write(
          toFile: "\(folder)/\(to).yml", atomically: true, encoding: .utf8)
      }
      let error = #expect(throws: MigrationError.self) {
        try MigrationDirectory(path: folder).newestVersion()
      }
      #expect(error?.message.hasSuffix("specify it with --to-version") == true)
    }
  }
}
