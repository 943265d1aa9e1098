import Foundation
import RecordModel
import RecordSchema
import Testing

@testable import RecordMigration

/// Checks that only one test sees: Scripts/planted-faults turns each off.
@Suite("A migration is checked")
struct CheckTests {
  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch { return "\(error)" }
  }

  private func schema(_ fields: String) throws -> CloudSchema {
    try SchemaDocument(
      parsing: "DEFINE SCHEMA RECORD TYPE Note (\(fields), GRANT WRITE TO \"_creator\");"
    ).validSchema()
  }

  // MARK: Expressions

  @Test(
    "for kinds that a function or an operator does not accept, before it runs",
    arguments: [
      ("lower(1)", "lower does not accept"), ("if('a', 1, 2)", "requires a Boolean"),
      ("-'a'", "requires a number"), ("not 'a'", "requires a Boolean"),
    ])
  func kinds(source: String, part: String) throws {
    let expression = try RecordExpression(source)
    let text = message { _ = try expression.root.kinds(KnownFields([])) }
    #expect(text.contains(part), "\(text)")
  }

  @Test(
    "for results out of range and divisions by zero",
    arguments: [
      ("-(-9223372036854775807 - 1)", "exceeds 64 bits"), ("1 / 0", "division by zero"),
      ("1 % 0", "division by zero"), ("1.5 / 0", "division by zero"),
      ("date('2024-03-01') + 1e308 + 1e308", "the result is not a date"),
    ])
  func results(source: String, part: String) throws {
    let expression = try RecordExpression(source)
    let text = message { _ = try expression.value(for: Sample.record([:])) }
    #expect(text.contains(part), "\(text)")
  }

  @Test(
    "for numbers that are too large and lists that do not end",
    arguments: [
      ("10000000000000000000", "exceeds 64 bits"), ("1e999", "'1e999' is not a number"),
      ("length('a' 'b')", "instead of ',' or ')'"), ("[1 2]", "instead of ',' or ']'"),
    ])
  func syntax(source: String, part: String) {
    let text = message { _ = try RecordExpression(source) }
    #expect(text.contains(part), "\(text)")
  }

  @Test("for date formats without a year, and for long ones")
  func dateFormats() {
    let short = message { _ = try DateFormat("MM-dd") }
    #expect(short.contains("the date format has no year"), "\(short)")
    let long = message { _ = try DateFormat("yyyy" + String(repeating: "-", count: 200)) }
    #expect(long.contains("longer than 200 bytes"), "\(long)")
  }

  // MARK: Plans

  @Test(
    "for types that no field has",
    arguments: [
      ("NUMBER", "there is no type 'NUMBER'"), ("TEXT", "there is no type 'TEXT'"),
      ("ENCRYPTED REFERENCE", "REFERENCE cannot be encrypted"),
      ("ENCRYPTED ASSET", "ASSET cannot be encrypted"),
    ])
  func types(name: String, part: String) {
    let plan = """
      recordpack-migration: 1
      from: "1"
      to: "2"
      steps:
        - {do: add-field, type: Note, field: a, as: \(name), value: x}
      """
    let text = message { _ = try MigrationPlan(yaml: plan) }
    #expect(text.contains(part), "\(text)")
  }

  @Test("for encrypted values in the public database")
  func publicEncryption() throws {
    let selection = MigrationStep.Selection(["Note"], databases: [.public])
    let migration = Migration(
      from: "1", to: "2", steps: [MigrationStep(selection, .encrypt("a"))],
      fromSchema: try schema("a STRING"))
    let text = message { _ = try Migrator([migration]) }
    #expect(text.contains("the public database has no encrypted values"), "\(text)")
  }

  // MARK: Folders

  private func plan(_ from: String, _ to: String) -> String {
    """
    recordpack-migration: 1
    from: "\(from)"
    to: "\(to)"
    steps:
      - {do: drop-field, type: Note, field: a}
    """
  }

  private func write(_ text: String, _ path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  @Test("for plans in its folder, of which one leads to the newest version")
  func folders() throws {
    try withFolder { folder in
      try write(
        "DEFINE SCHEMA RECORD TYPE Note (a STRING, GRANT WRITE TO \"_creator\");",
        folder + "/1.ckdb")
      let none = message { _ = try MigrationDirectory(path: folder) }
      #expect(none.contains("has no migration plans"), "\(none)")
      try write(plan("v1", "v2"), folder + "/a.yml")
      #expect(try MigrationDirectory(path: folder).newestVersion() == "v2")
      try write(plan("v1", "v3"), folder + "/b.yml")
      let two = message { _ = try MigrationDirectory(path: folder).newestVersion() }
      #expect(two.contains("plans end in v2 and v3"), "\(two)")
      try write(String(repeating: "#", count: MigrationPlan.maxSize + 1), folder + "/c.yml")
      let large = message { _ = try MigrationDirectory(path: folder) }
      #expect(large.contains("has more than \(MigrationPlan.maxSize) bytes"), "\(large)")
    }
  }

  @Test("for a folder with more files than are read")
  func manyFiles() throws {
    try withFolder { folder in
      for number in 0...10_000 { close(creat("\(folder)/\(number)", 0o600)) }
      let text = message { _ = try MigrationDirectory(path: folder) }
      #expect(text.contains("has more than 10000 files"), "\(text)")
    }
  }

  // MARK: The way back

  private func reasons(_ step: MigrationStep, _ schema: CloudSchema? = nil) -> String {
    message { _ = try Migration(from: "1", to: "2", steps: [step], fromSchema: schema).reversed() }
  }

  @Test("for values and fields that the way back cannot restore")
  func reversing() throws {
    let rename = MigrationStep("Note", .renameField("a", to: "b"), misfit: .keep(in: "c"))
    #expect(reasons(rename).contains("what it keeps in 'c' cannot be put back"))
    let types = MigrationStep(.init(["Note", "Memo"]), .renameType(to: "Page"))
    #expect(reasons(types).contains("several types get the same name"))
    let parents = MigrationStep(
      "Note", .setParent(from: "r"), where: try RecordExpression("has(x)"))
    #expect(reasons(parents).contains("the records whose parent it set are unknown"))
    let map = MigrationAction.ValueMap([.int64(1): .int64(3)], otherwise: .value(.int64(0)))
    let values = reasons(MigrationStep("Note", .mapValues("d", map)))
    #expect(values.contains("all unlisted values map to the same value"), "\(values)")
    let add = MigrationStep("Note", .addField("a", .constant(.int64(1))))
    #expect(reasons(add) == "")
    let had = reasons(add, try schema("a INT64"))
    #expect(had.contains("some records may already have had the field"), "\(had)")
  }

  // MARK: Records

  @Test("for two results of a record with one name; a dry run counts them")
  func collisions() throws {
    let twice = MigrationAction.custom(.init("twice") { [$0, $0] })
    let migrator = try Migrator([
      Migration(from: "1", to: "2", steps: [MigrationStep("Note", twice)])
    ])
    func run(isDryRun: Bool) throws -> Int {
      var report = migrator.emptyReport()
      _ = try migrator.migrate(
        Sample.record([:]), in: .private, environment: Sample.environment, isDryRun: isDryRun,
        report: &report)
      return report.collisions.count
    }
    #expect(try run(isDryRun: true) == 1)
    let error = #expect(throws: MigrationError.self) { try run(isDryRun: false) }
    #expect(error?.code == .collision)
  }

  private func misfit(
    _ action: MigrationAction, _ record: ResultRecord, in database: DatabaseScope = .private
  ) -> String {
    message {
      let migrator = try Migrator([
        Migration(from: "1", to: "2", steps: [MigrationStep("Note", action)])
      ])
      _ = try migrator.migrate(record, in: database, environment: Sample.environment)
    }
  }

  @Test("for zones of the public database, and for values that cannot be encrypted")
  func places() {
    let record = Sample.record("Note", "a", zone: .default, ["r": Sample.reference("b")])
    let moved = misfit(.move(to: Sample.zone), record, in: .public)
    #expect(moved.contains("the public database has only the default zone"), "\(moved)")
    #expect(misfit(.move(to: Sample.zone), record) == "")
    let encrypted = misfit(.encrypt("r"), record)
    #expect(encrypted.contains("which cannot be encrypted"), "\(encrypted)")
    for name in ["", String(repeating: "n", count: 256)] {
      let named = misfit(
        .convert("s", Conversion(to: .reference)), Sample.record(["s": .string(name)]))
      #expect(named.contains("not a valid record name"), "\(named)")
    }
    let secret = Sample.record([:], encrypted: ["s": .string("b")])
    let converted = misfit(.convert("s", Conversion(to: .reference)), secret)
    #expect(converted.contains("an encrypted value, which cannot become"), "\(converted)")
  }

  @Test("against both schemas; a dry run counts the records that do not match")
  func records() throws {
    let (texts, numbers) = (try schema("a STRING"), try schema("a INT64"))
    let record = Sample.record(["a": .int64(1)])
    for (from, to, code) in [
      (texts, nil, MigrationError.Code.sourceRecord), (nil, texts, .result),
      (numbers, nil, nil),
    ] as [(CloudSchema?, CloudSchema?, MigrationError.Code?)] {
      let migrator = try Migrator([
        Migration(from: "1", to: "2", steps: [], fromSchema: from, toSchema: to)
      ])
      func run(isDryRun: Bool) throws -> MigrationReport {
        var report = migrator.emptyReport()
        _ = try migrator.migrate(
          record, in: .private, environment: Sample.environment, isDryRun: isDryRun,
          report: &report)
        return report
      }
      do {
        _ = try run(isDryRun: false)
        #expect(code == nil)
      } catch {
        #expect((error as? MigrationError)?.code == code)
      }
      let report = try run(isDryRun: true)
      #expect(report.sourceMismatches.count == (code == .sourceRecord ? 1 : 0))
      #expect(report.resultMismatches.count == (code == .result ? 1 : 0))
    }
  }
}
