import RecordModel
import Testing

@testable import RecordMigration

/// Names that look alike, and differ in their scalars: `é` in one and in two.
@Suite("Names that differ in Unicode normalization")
struct ExactNameTests {
  private let one = "caf\u{E9}"
  private let two = "cafe\u{301}"

  private func migrated(
    _ record: ResultRecord, _ steps: MigrationStep...
  ) throws -> [ResultRecord] {
    try Migrator([Migration(from: "1", to: "2", steps: steps)]).migrate(record)
  }

  @Test("the field that a step names is changed, and not its double")
  func fields() throws {
    // A dictionary could not hold both names.
    let record = ResultRecord(
      systemFields: Sample.record([:]).systemFields,
      fields: [Field(name: one, value: .int64(1)), Field(name: two, value: .int64(2))])
    #expect(record.fields.count == 2)
    for (name, other, rest) in [(one, two, 2), (two, one, 1)] {
      let dropped = try migrated(record, MigrationStep("Note", .dropField(name)))
      #expect(dropped.first?.fields.map(\.value) == [.int64(Int64(rest))])
      let renamed = try migrated(record, MigrationStep("Note", .renameField(name, to: "x")))
      #expect(renamed.first?.field(named: other)?.value == .int64(Int64(rest)))
      #expect(renamed.first?.field(named: "x")?.value == .int64(Int64(3 - rest)))
      let read = try RecordExpression("field('\(name)')").value(for: record)
      #expect(read == .value(.int64(Int64(3 - rest))))
    }
  }

  @Test("a step looks at records of the type and zone it names, and at no others")
  func typesAndZones() throws {
    let record = Sample.record(one, "n", zone: ZoneID(zoneName: two), ["a": .int64(1)])
    for (type, zone, isTaken) in [
      (one, two, true), (two, two, false), (one, one, false), ("\u{212A}", two, false),
    ] {
      let step = MigrationStep(.init([type], zoneNames: [zone]), .dropField("a"))
      #expect(try migrated(record, step).first?.fields.isEmpty == isTaken)
    }
    let both = MigrationStep(.init([two]), .dropField("a"))
    let renaming = MigrationStep(.init([one]), .renameType(to: "Cafe"))
    #expect(try migrated(record, both, renaming).first?.recordType == "Cafe")
    #expect(try migrated(record, both, renaming).first?.fields.count == 1)
  }

  @Test("a plain value and an encrypted one are told apart by their own names")
  func secrecy() throws {
    let record = Sample.record([one: .string("plain")], encrypted: [two: .string("secret")])
    func add(_ name: String) throws -> [ResultRecord] {
      let source = try RecordExpression("field('\(one)') + field('\(name)')")
      return try migrated(record, MigrationStep("Note", .addField("x", .expression(source))))
    }
    #expect(try add(one).first?.field(named: "x")?.value == .string("plainplain"))
    #expect(throws: MigrationError.self) { try add(two) }
  }

  @Test("parts of a string are found as strings are compared: by their scalars")
  func parts() throws {
    let record = Sample.record([
      "one": .string("un \(one) noir"), "two": .string("un \(two) noir"),
      "l": .stringList([two]), "mark": .string("\u{301}x"),
    ])
    let cases: [(String, Bool)] = [
      ("contains(one, '\(one)')", true), ("contains(one, '\(two)')", false),
      ("contains(two, '\(two)')", true), ("contains(two, '\(one)')", false),
      ("contains(l, '\(two)')", true), ("contains(l, '\(one)')", false),
      ("starts(one, 'un \(one)')", true), ("starts(one, 'un \(two)')", false),
      ("starts(two, 'un \(two)')", true), ("starts(two, 'un \(one)')", false),
      ("ends(one, '\(one) noir')", true), ("ends(one, '\(two) noir')", false),
      // A letter and its mark are two scalars.
      ("starts(two, 'un cafe')", true), ("contains(two, '\u{301} ')", true),
      ("ends('x' + mark, 'x')", true), ("contains(two, '')", true), ("starts(two, '')", true),
      ("contains('', 'a')", false), ("starts('a', 'ab')", false), ("ends('b', 'ab')", false),
      ("replace(one, '\(two)', 'x') == one", true),
      ("replace(two, '\(two)', 'x') == 'un x noir'", true),
      ("part(one, '\(two)', 1) == null", true), ("part(two, '\(two)', 1) == ' noir'", true),
    ]
    for (source, expected) in cases {
      #expect(try RecordExpression(source).value(for: record) == .bool(expected), "\(source)")
    }
  }

  @Test("a record that cannot be renamed because of its zone or type is told so")
  func renaming() throws {
    let step = MigrationStep(
      .init(nil), .renameRecords(try RecordExpression("'x-' + recordName")))
    let migrator = try Migrator([Migration(from: "1", to: "2", steps: [step])])
    func message(_ type: String, _ zone: String, _ name: String) throws -> String {
      let record = Sample.record(type, name, zone: ZoneID(zoneName: zone))
      let error = try #require(throws: MigrationError.self) { try migrator.migrate(record) }
      return "\(error)"
    }
    let cases = [
      ("Note", "Chats", "\(one)", "a record name with"),
      ("Note", "Chats", String(repeating: "n", count: 254), "a record name of 256 characters"),
      ("Note", one, "n", "a zone name with"), ("Caf\u{E9}", "Chats", "n", "a record type with"),
    ]
    for (type, zone, name, part) in cases {
      let text = try message(type, zone, name)
      #expect(text.contains(part), "\(text)")
    }
  }
}
