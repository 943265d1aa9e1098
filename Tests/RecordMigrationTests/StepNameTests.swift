import RecordModel
import RecordSchema
import Testing

@testable import RecordMigration

@Suite("Names in steps")
struct StepNameTests {
  private func refusal(_ steps: [MigrationStep]) -> String? {
    do {
      _ = try Migrator([Migration(from: "1", to: "2", steps: steps)])
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "that CloudKit would not take are refused where they would come into being",
    arguments: [
      "", "a b", "9a", "_a", "é", "a\u{0}", "cloudkit.x", String(repeating: "a", count: 256),
    ])
  func newNames(name: String) throws {
    let steps: [MigrationStep] = [
      MigrationStep("Note", .renameField("a", to: name)),
      MigrationStep("Note", .addField(name, .constant(.int64(1)))),
      MigrationStep("Note", .renameType(to: name)),
      MigrationStep("Note", .mergeTypes(into: name, discriminator: nil)),
      MigrationStep("Note", .mergeTypes(into: "Note", discriminator: name)),
      MigrationStep("Note", .setReference(name)),
      MigrationStep("Note", .encrypt("a"), misfit: .keep(in: name)),
    ]
    for step in steps {
      #expect(refusal([step])?.contains("is not a valid name of a") == true, "\(step.title)")
    }
    let zone = MigrationStep("Note", .move(to: ZoneID(zoneName: name)))
    let isZone =
      name.utf8.allSatisfy { 0x20...0x7E ~= $0 } && (1...255).contains(name.utf8.count)
      && !name.hasPrefix("_")
    #expect((refusal([zone]) == nil) == isZone)
  }

  @Test("that are there already may be odd, but not empty")
  func knownNames() throws {
    for name in ["é", "a b"] {
      #expect(refusal([MigrationStep("Note", .renameField(name, to: "a"))]) == nil)
      #expect(refusal([MigrationStep(name, .renameType(to: "Plain"))]) == nil)
    }
    for step in [
      MigrationStep("Note", .dropField("")), MigrationStep("", .dropField("a")),
      MigrationStep(.init([]), .dropField("a")),
      MigrationStep(.init(nil, databases: []), .dropField("a")),
      MigrationStep(.init(nil, zoneNames: [""]), .dropField("a")),
      MigrationStep("Note", .addField("x", .field(""))),
      MigrationStep("Note", .custom(.init("") { [$0] })),
    ] {
      #expect(refusal([step])?.contains("empty") == true, "\(step.title)")
    }
  }

  @Test("the way back of a plan that puts an odd name right restores the odd name")
  func reversed() throws {
    let migration = Migration(
      from: "1", to: "2", steps: [MigrationStep("Note", .renameField("a b", to: "ab"))])
    let record = Sample.record(["a b": .int64(1)])
    let there = try Migrator([migration]).migrate(record)
    #expect(try Migrator([migration.reversed()]).migrate(try #require(there.first)) == [record])
  }

  @Test("versions have names, and a migration leads from one to another")
  func versions() {
    for (from, to) in [("", "2"), ("1", ""), ("1", "1"), ("1", "a\nb")] {
      #expect(throws: MigrationError.self) {
        try Migrator([Migration(from: from, to: to, steps: [])])
      }
    }
  }

  @Test("a plan's file is refused at the name")
  func plans() throws {
    let error = try #require(throws: MigrationError.self) {
      try MigrationPlan(
        yaml: """
          recordpack-migration: 1
          from: "1"
          to: "2"
          steps:
            - {do: rename-field, type: Note, field: a, to: "a b"}
          """)
    }
    #expect(
      "\(error)".hasPrefix("plan.yml:5:50: error: 'a b' is not a valid name of a field"), "\(error)"
    )
  }

  @Test("steps in Swift are held against the schema wherever one is known")
  func schemas() throws {
    let schema = try SchemaDocument(
      parsing: "DEFINE SCHEMA RECORD TYPE Chat (title STRING, GRANT READ TO \"_world\");"
    ).validSchema()
    func migration(_ step: MigrationStep) -> Migration {
      Migration(from: "1", to: "2", steps: [step], fromSchema: schema)
    }
    let wrong = migration(MigrationStep("Chatt", .dropField("title")))
    for attempt in 0..<2 {
      let error = try #require(throws: MigrationError.self) {
        _ = attempt == 0 ? try Migrator([wrong]).migrations : [try wrong.reversed()]
      }
      #expect(
        "\(error)".hasPrefix(
          "the migration from '1' to '2': step 1, drop-field Chatt.title: at this step "
            + "there is no record type 'Chatt'"), "\(error)")
    }
    _ = try Migrator([migration(MigrationStep("Chat", .renameField("title", to: "name")))])
  }
}
