import Foundation
import RecordModel
import Testing

@testable import RecordMigration

@Suite("Steps")
struct StepTests {
  private func migrate(
    _ record: ResultRecord, in database: DatabaseScope = .private, _ steps: MigrationStep...
  ) throws -> (record: ResultRecord?, report: MigrationReport) {
    let migrator = try Migrator([Migration(from: "1", to: "2", steps: steps)])
    var report = migrator.emptyReport()
    let results = try migrator.migrate(
      record, in: database, environment: MigrationEnvironment(), report: &report)
    return (results.first, report)
  }

  private func converted(
    _ value: RecordValue, _ conversion: Conversion
  ) throws -> RecordValue? {
    try migrate(
      Sample.record(["a": value]), MigrationStep("Note", .convert("a", conversion), misfit: .null)
    ).record?.field(named: "a")?.value
  }

  @Test("convert values exactly, or not at all")
  func conversions() throws {
    let date = Date(timeIntervalSince1970: 1_709_283_600)
    let day = Conversion(to: .timestamp, dateFormat: try DateFormat("dd.MM.yyyy HH:mm"))
    let dayText = Conversion(to: .string, dateFormat: try DateFormat("yyyy-MM-dd'T'HH"))
    let cases: [(RecordValue, Conversion, RecordValue?)] = [
      (.string("42"), Conversion(to: .int64), .int64(42)),
      (.string("42.5"), Conversion(to: .int64), nil),
      (.string("42.5"), Conversion(to: .double), .double(42.5)),
      (.string("many"), Conversion(to: .int64), nil),
      (.double(3), Conversion(to: .int64), .int64(3)),
      (.double(3.5), Conversion(to: .int64), nil),
      (.int64(.max), Conversion(to: .double), nil),
      (.double(0.1), Conversion(to: .string), .string("0.1")),
      (.string("01.03.2024 09:00"), day, .timestamp(date)),
      (.string("31.02.2024 09:00"), day, nil),
      (.timestamp(date), dayText, .string("2024-03-01T09")),
      (
        .timestamp(date), Conversion(to: .int64, dateFormat: .milliseconds),
        .int64(1_709_283_600_000)
      ),
      (.int64(1_709_283_600), Conversion(to: .timestamp), .timestamp(date)),
      (.string("x"), Conversion(to: .stringList), .stringList(["x"])),
      (.stringList(["x"]), Conversion(to: .string), .string("x")),
      (.stringList(["x", "y"]), Conversion(to: .string), nil),
      (.stringList(["1", "2"]), Conversion(to: .int64List), .int64List([1, 2])),
      (.stringList(["1", "z"]), Conversion(to: .int64List), nil),
      (.bytes(Data([1])), Conversion(to: .asset), .asset(Asset(data: Data([1])))),
      (.asset(Asset(data: Data([1]))), Conversion(to: .bytes), .bytes(Data([1]))),
      (.asset(Asset(sha256: String(repeating: "a", count: 64))), Conversion(to: .bytes), nil),
      (Sample.reference("t"), Conversion(to: .string), .string("t")),
      (Sample.reference("t", zone: Sample.other), Conversion(to: .string), nil),
      (.location(Location(latitude: 1, longitude: 2)), Conversion(to: .string), nil),
    ]
    for (value, conversion, expected) in cases {
      #expect(try converted(value, conversion) == expected, "\(value) \(conversion)")
    }
  }

  @Test("do with a misfit what their policy says, and count it")
  func policies() throws {
    let record = Sample.record(["a": .string("many")])
    func step(_ policy: MisfitPolicy) -> MigrationStep {
      MigrationStep("Note", .convert("a", Conversion(to: .int64)), misfit: policy)
    }
    let error = #expect(throws: MigrationError.self) { try migrate(record, step(.fail)) }
    #expect(
      "\(try #require(error))".contains(
        "Note 'Chats:n1', field 'a': a string that is not a 64-bit integer"))
    let nulled = try migrate(record, step(.null))
    #expect(nulled.record?.allKeys() == [] && nulled.report.steps[0].nulled == 1)
    let kept = try migrate(record, step(.keep(in: "b")))
    #expect(kept.record?.allKeys() == ["b"] && kept.report.steps[0].kept == 1)
    let skipped = try migrate(record, step(.skip))
    #expect(skipped.record == nil && skipped.report.steps[0].skipped == 1)
    #expect(!nulled.report.isLossless && kept.report.isLossless && !skipped.report.isLossless)
    let taken = Sample.record(["a": .string("many"), "b": .int64(1)])
    #expect(throws: MigrationError.self) { try migrate(taken, step(.keep(in: "b"))) }
  }

  @Test("never tell the value of an encrypted field")
  func secrets() throws {
    let record = Sample.record([:], encrypted: ["a": .string("hunter2")])
    let map = MigrationAction.ValueMap([.string("x"): .string("y")])
    for action in [
      MigrationAction.mapValues("a", map), .convert("a", Conversion(to: .int64)),
    ] {
      let error = #expect(throws: MigrationError.self) {
        try migrate(record, MigrationStep("Note", action))
      }
      let text = "\(try #require(error))"
      #expect(!text.contains("hunter2"))
      let report = try migrate(record, MigrationStep("Note", action, misfit: .skip)).report
      #expect(report.steps[0].examples.count == 1)
      #expect(!report.steps[0].examples[0].contains("hunter2"))
    }
  }

  @Test("make nothing plain of an encrypted value, but may ask whether it is there")
  func secrecy() throws {
    let record = ResultRecord(
      systemFields: SystemFields(recordID: RecordID(recordName: "n"), recordType: "Note"),
      fields: [Field(name: "secret", value: .string("hush"), isEncrypted: true)])
    func added(_ expression: String, isEncrypted: Bool) throws -> Field? {
      let step = MigrationStep(
        "Note",
        .addField(
          "copy", .expression(try RecordExpression(expression)), isEncrypted: isEncrypted))
      let migrator = try Migrator([Migration(from: "1", to: "2", steps: [step])])
      return try migrator.migrate(record).first?.field(named: "copy")
    }
    for expression in ["secret", "list(secret)", "length(secret)", "if(has(secret), secret, 'x')"] {
      #expect {
        try added(expression, isEncrypted: false)
      } throws: { error in
        "\(error)".contains("'secret' is encrypted") && !"\(error)".contains("hush")
      }
      #expect(try added(expression, isEncrypted: true)?.isEncrypted == true)
    }
    #expect(try added("has(secret)", isEncrypted: false)?.value == .int64(1))
  }

  @Test("parts and sums of encrypted values stay encrypted")
  func texts() throws {
    let record = Sample.record([:], encrypted: ["a": .string("Mira Solvang")])
    let expression = try RecordExpression("part(a, ' ', 1) + ', ' + part(a, ' ', 0)")
    let swapped = try migrate(
      record,
      MigrationStep("Note", .addField("name", .expression(expression), isEncrypted: true)))
    #expect(swapped.record?.field(named: "name")?.value == .string("Solvang, Mira"))
    #expect(swapped.record?.field(named: "name")?.isEncrypted == true)
    #expect(throws: MigrationError.self) {
      try migrate(
        Sample.record(["a": .string("x")]), in: .public, MigrationStep("Note", .encrypt("a")))
    }
  }

  @Test("merge types by a discriminator, and part them again")
  func merge() throws {
    let migration = Migration(
      from: "1", to: "2",
      steps: [
        MigrationStep(
          .init(["Photo", "Video"]), .mergeTypes(into: "Media", discriminator: "kind"))
      ])
    let (there, back) = (try Migrator([migration]), try Migrator([migration.reversed()]))
    for type in ["Photo", "Video"] {
      let record = Sample.record(type, "n1", ["a": .int64(1)])
      let merged = try #require(try there.migrate(record).first)
      #expect(merged.recordType == "Media" && merged["kind"] == type)
      #expect(try back.migrate(merged) == [record])
    }
  }

  @Test("give a record another name, and references follow")
  func references() throws {
    let migrator = try Migrator([
      Migration(
        from: "1", to: "2",
        steps: [
          MigrationStep("Chat", .renameRecords(try RecordExpression("'chat-' + recordName"))),
          MigrationStep("Chat", .move(to: Sample.other, from: Sample.zone)),
        ])
    ])
    let old = RecordID(recordName: "1", zoneID: Sample.zone)
    let new = RecordID(recordName: "chat-1", zoneID: Sample.other)
    #expect(try migrator.migrate(Sample.record("Chat", "1")).first?.recordID == new)
    var map = RecordIDMap()
    map.note(old, became: new, in: .private)
    var environment = MigrationEnvironment()
    environment.identities[0] = map
    let message = Sample.record(
      "Message", "m", parent: Reference(recordID: old),
      [
        "chat": .reference(Reference(recordID: old, action: .deleteSelf)),
        "all": .referenceList([Reference(recordID: old), Reference(recordID: new)]),
      ])
    let result = try #require(try migrator.migrate(message, environment: environment).first)
    #expect(result["chat"] == Reference(recordID: new, action: .deleteSelf))
    #expect(result["all"] == [Reference(recordID: new), Reference(recordID: new)])
    #expect(result.parent?.recordID == new)
    #expect(
      try migrator.migrate(message, in: .public, environment: environment) == [message],
      "another database has other records")
  }

  @Test("in Swift make, change and leave out records")
  func custom() throws {
    let step = MigrationAction.CustomStep("tags") { draft in
      let tags: [String] = draft["tags"] ?? []
      var note = draft
      note.setField("tags", to: nil)
      return [note]
        + tags.map { tag in
          var made = DraftRecord(
            recordType: "Tag",
            recordID: RecordID(
              recordName: "\(draft.recordID.recordName)-\(tag)", zoneID: Sample.zone))
          made["name"] = tag
          return made
        }
    }
    let migrator = try Migrator([
      Migration(from: "1", to: "2") {
        MigrationStep("Note", .custom(step))
        MigrationStep("Tag", .renameField("name", to: "title"))
      }
    ])
    let results = try migrator.migrate(
      Sample.record(["tags": .stringList(["x", "y"]), "a": .int64(1)]))
    #expect(results.map(\.recordType) == ["Note", "Tag", "Tag"])
    #expect(results[0].allKeys() == ["a"])
    #expect(results[2]["title"] == "y")
  }

  @Test("that contradict themselves are refused before anything is read")
  func impossible() {
    for step in [
      MigrationStep("Note", .dropField("a"), misfit: .keep(in: "b")),
      MigrationStep("Note", .encrypt("a"), misfit: .keep(in: "a")),
      MigrationStep(.init(nil), .leaveBehind), MigrationStep("Note", .deleteType, misfit: .null),
    ] {
      #expect(throws: MigrationError.self) {
        try Migrator([Migration(from: "1", to: "2", steps: [step])])
      }
    }
    #expect(throws: MigrationError.self) {
      try Migrator([
        Migration(from: "1", to: "2", steps: []), Migration(from: "3", to: "4", steps: []),
      ])
    }
  }

  @Test("A map of references follows records that are renamed; a map of other values does not")
  func referenceMaps() {
    let (one, two) = (RecordID(recordName: "1"), RecordID(recordName: "2"))
    let references: [RecordValue: RecordValue] = [
      .reference(Reference(recordID: one)): .reference(Reference(recordID: two))
    ]
    #expect(MapValues(field: "a", map: .init(references)).effects.follows == .identity)
    #expect(MapValues(field: "a", map: .init([.int64(1): .int64(2)])).effects.follows == [])
  }
}
