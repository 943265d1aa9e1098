import Foundation
import RecordStore
import RecordBundle
import RecordMigration
import RecordModel
import RecordSchema
import StoreTestSupport
import Testing

@testable import RecordArchive

/// A record's name is unique in its zone, whatever the type: what comes to a zone must not take the
/// name of another record, in any form of migration.
@Suite("Records that come to where others are")
struct CollisionTests {
  private static let zones = ["Z1", "Z2", "Z3"].map { ZoneID(zoneName: $0) }

  private static func record(
    _ type: String, _ name: String, _ zone: ZoneID, to: String = ""
  ) -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: zone), recordType: type,
        recordChangeTag: "1"),
      fields: to.isEmpty ? [] : [Field(name: "to", value: .string(to))])
  }

  private static func tombstone(_ type: String, _ name: String, _ zone: ZoneID) -> DeletedRecord {
    DeletedRecord(recordID: RecordID(recordName: name, zoneID: zone), recordType: type)
  }

  private func prepare(
    _ records: [ResultRecord], _ tombstones: [DeletedRecord] = [], deleted: [ZoneID] = [],
    version: String? = "1", in folder: String
  ) throws -> BundleReader {
    let info = ContainerInfo(schemaVersion: version)
    try ContainerStore.build(path: folder + "/a.sqlite", info: info) { writer in
      let zones = Set((records.map(\.recordID) + tombstones.map(\.recordID)).map(\.zoneID))
      for zone in zones.sorted() where !deleted.contains(zone) {
        try writer.add(RecordZone(zoneID: zone), to: .private)
      }
      for record in records { try writer.add(record, to: .private) }
      for tombstone in tombstones { try writer.add(tombstone, to: .private) }
      for zone in deleted { try writer.add(DeletedZone(zoneID: zone), to: .private) }
    }
    let path = folder + "/a.recordpack"
    try Archiver().export(ContainerStore.open(path: folder + "/a.sqlite"), to: path)
    return try BundleReader(path: path)
  }

  private func migrator(_ steps: [MigrationStep]) throws -> Migrator {
    try Migrator([Migration(from: "1", to: "2", steps: steps)])
  }

  /// Migrates in every form, and expects all to refuse, or none.
  private func outcome(
    _ bundle: BundleReader, _ migrator: Migrator, isRefused: Bool, in folder: String,
    _ what: String
  ) throws {
    let forms: [(String, () throws -> Void)] = [
      (
        "bundle",
        {
          _ = try Archiver().migrate(.bundle(bundle), with: migrator, to: folder + "/b.recordpack")
        }
      ),
      (
        "container",
        {
          _ = try Archiver().migrate(
            .bundle(bundle), with: migrator, creating: folder + "/b.sqlite")
        }
      ),
      (
        "in place",
        {
          let container = try ContainerStore.open(path: folder + "/a.sqlite")
          _ = try Archiver().migrate(inPlace: container, with: migrator)
          try container.close()
        }
      ),
    ]
    for (form, run) in forms {
      do {
        try run()
        #expect(!isRefused, "\(form): \(what)")
      } catch let error as MigrationError {
        #expect(isRefused && "\(error)".contains("would both be"), "\(form): \(error), \(what)")
      }
    }
  }

  @Test("a record that moves to the zone of another of its name is refused in every form")
  func moving() throws {
    let (first, second) = (Self.zones[0], Self.zones[1])
    for (type, other) in [("A", "B"), ("B", "A"), ("A", "A")] {
      try withFolder { folder in
        let bundle = try prepare(
          [
            Self.record(type, "x", first), Self.record(other, "x", second),
            Self.record(other, "y", second),
          ], in: folder)
        let step = MigrationStep(.init([type]), .move(to: second, from: first))
        let migrator = try migrator([step])
        let report = try Archiver().dryRun(.bundle(bundle), with: migrator)
        #expect(report.collisions.count == 1 && report.hasFailures)
        #expect(report.collisions.examples.first?.contains("'Z2:x'") == true)
        try outcome(bundle, migrator, isRefused: true, in: folder, type)
        #expect(!FileManager.default.fileExists(atPath: folder + "/b.recordpack"))
      }
    }
  }

  @Test("makes the zone of a move only where a record arrives, in every form")
  func newZone() throws {
    let (first, second) = (Self.zones[0], Self.zones[1])
    for (name, expected) in [("x", [first]), ("y", [first, second])] {
      try withFolder { folder in
        let bundle = try prepare(
          [Self.record("A", "x", first), Self.record("B", "z", first)], in: folder)
        let condition = try RecordExpression("recordName == '\(name)'")
        let migrator = try migrator([
          MigrationStep("A", .leaveBehind, where: condition),
          MigrationStep("A", .move(to: second, from: first)),
        ])
        try outcome(bundle, migrator, isRefused: false, in: folder, name)
        let sources: [ArchiveSource] = [
          .bundle(try BundleReader(path: folder + "/b.recordpack")),
          .container(try ContainerStore.open(path: folder + "/b.sqlite")),
          .container(try ContainerStore.open(path: folder + "/a.sqlite")),
        ]
        for source in sources {
          let zones = try source.zones().map(\.zone.zoneID).filter { !$0.isDefault }
          #expect(zones == expected, "\(name)")
        }
      }
    }
  }

  @Test("where it takes the place of a deleted one, that is not deleted any more, nor its zone")
  func tombstones() throws {
    let (first, second, third) = (Self.zones[0], Self.zones[1], Self.zones[2])
    try withFolder { folder in
      let bundle = try prepare(
        [Self.record("A", "x", first), Self.record("C", "z", first)],
        [Self.tombstone("B", "x", second), Self.tombstone("B", "y", second)], deleted: [third],
        in: folder)
      let migrator = try migrator([
        MigrationStep("A", .move(to: second, from: first)),
        MigrationStep("C", .move(to: third, from: first)),
      ])
      try outcome(bundle, migrator, isRefused: false, in: folder, "tombstones")
      let migrated = try BundleReader(path: folder + "/b.recordpack")
      var left: [String] = []
      try migrated.forEachItem(of: [.tombstone, .zoneTombstone]) { item in
        switch item {
        case .tombstone(let tombstone, _): left.append("\(tombstone.recordID)")
        case .zoneTombstone(let zone, _): left.append("\(zone.zoneID)")
        default: break
        }
      }
      #expect(left == ["Z2:y"])
      #expect(try migrated.verify().findings.isEmpty)
      let created = try ContainerStore.open(path: folder + "/b.sqlite")
      #expect(
        try SampleContainer.differences(.bundle(migrated), .container(created)) == [])
    }
  }

  @Test("two drafts of one name that a step in Swift makes are refused in every form")
  func drafts() throws {
    let zone = Self.zones[0]
    for isChanged in [false, true] {
      try withFolder { folder in
        let bundle = try prepare([Self.record("A", "x", zone)], in: folder)
        let double = MigrationAction.CustomStep("double") { draft in
          var other = draft
          if isChanged { other["n"] = 1 }
          return [draft, other]
        }
        let migrator = try migrator([MigrationStep("A", .custom(double))])
        let report = try Archiver().dryRun(.bundle(bundle), with: migrator)
        #expect(report.collisions.count == 1 && report.hasFailures)
        try outcome(bundle, migrator, isRefused: true, in: folder, "changed: \(isChanged)")
      }
    }
  }

  @Test("records that all get one name are found by a dry run")
  func sameName() throws {
    try withFolder { folder in
      let bundle = try prepare(
        ["a", "b", "c"].map { Self.record("A", $0, Self.zones[0]) }, in: folder)
      let migrator = try migrator([
        MigrationStep("A", .renameRecords(try RecordExpression("'same'")))
      ])
      let report = try Archiver().dryRun(.bundle(bundle), with: migrator)
      #expect(report.collisions.count == 2 && report.hasFailures)
      try outcome(bundle, migrator, isRefused: true, in: folder, "same")
    }
  }

  // MARK: Random plans against a plain model

  /// What becomes of one record.
  private struct Model {
    var type: String
    var name: String
    var zone: ZoneID
    let to: String
  }

  private static func steps(_ random: inout SeededGenerator) throws -> (
    [MigrationStep], [(inout Model) -> Bool]
  ) {
    var steps: [MigrationStep] = []
    var models: [(inout Model) -> Bool] = []
    for _ in 0..<1 + random.below(3) {
      let type = ["A", "B", "C"][random.below(3)]
      let (from, to) = (zones[random.below(3)], zones[random.below(3)])
      switch random.below(5) {
      case 0, 1:
        guard from != to else { continue }
        steps.append(MigrationStep(type, .move(to: to, from: from)))
        models.append { record in
          if record.type == type, record.zone == from { record.zone = to }
          return true
        }
      case 2:
        steps.append(MigrationStep(type, .renameRecords(try RecordExpression("to"))))
        models.append { record in
          if record.type == type, !record.to.isEmpty { record.name = record.to }
          return true
        }
      case 3:
        steps.append(
          MigrationStep(type, .leaveBehind, where: try RecordExpression("recordName == 'r1'")))
        models.append { !($0.type == type && $0.name == "r1") }
      default:
        let new = ["A", "B", "C"][random.below(3)]
        steps.append(MigrationStep(type, .renameType(to: new)))
        models.append { record in
          if record.type == type { record.type = new }
          return true
        }
      }
    }
    return (steps, models)
  }

  @Test(
    "any plan is refused where two records would be one, and nowhere else",
    arguments: SeededGenerator.seeds(24))
  func anyPlan(seed: UInt64) throws {
    var random = SeededGenerator(seed &+ 900)
    var records: [ResultRecord] = []
    var tombstones: [DeletedRecord] = []
    for zone in Self.zones {
      for number in 0..<6 {
        let type = ["A", "B", "C"][random.below(3)]
        switch random.below(5) {
        case 0, 1:
          let to = random.below(3) == 0 ? "r\(random.below(9))" : ""
          records.append(Self.record(type, "r\(number)", zone, to: to))
        case 2: tombstones.append(Self.tombstone(type, "r\(number)", zone))
        default: break
        }
      }
    }
    let (steps, models) = try Self.steps(&random)
    var expected: [RecordID: String] = [:]
    var collisions = 0
    for record in records {
      var model = Model(
        type: record.recordType, name: record.recordID.recordName, zone: record.recordID.zoneID,
        to: record["to"] as String? ?? "")
      guard models.allSatisfy({ $0(&model) }) else { continue }
      let recordID = RecordID(recordName: model.name, zoneID: model.zone)
      if expected.updateValue(model.type, forKey: recordID) != nil { collisions += 1 }
    }
    try withFolder { folder in
      let bundle = try prepare(records, tombstones, in: folder)
      let migrator = try migrator(steps)
      let what = "\(seed): \(steps.map(\.title))"
      let report = try Archiver().dryRun(.bundle(bundle), with: migrator)
      #expect((report.collisions.count > 0) == (collisions > 0), "dry run, \(what)")
      #expect(report.results == expected.count + collisions)
      try outcome(bundle, migrator, isRefused: collisions > 0, in: folder, what)
      guard collisions == 0 else { return }
      let migrated = try BundleReader(path: folder + "/b.recordpack")
      var found: [RecordID: String] = [:]
      try migrated.forEachRecord { record, _ in found[record.recordID] = record.recordType }
      #expect(found == expected, "\(what)")
      try migrated.forEachItem(of: [.tombstone]) { item in
        guard case .tombstone(let tombstone, _) = item else { return }
        #expect(expected[tombstone.recordID] == nil, "\(what)")
      }
      #expect(try migrated.verify().findings.isEmpty, "\(what)")
      let created = try ContainerStore.open(path: folder + "/b.sqlite")
      #expect(
        try SampleContainer.differences(.bundle(migrated), .container(created)) == [], "\(what)")
    }
  }

  // MARK: Versions

  @Test("a migration begins with the version the source has, also without a schema")
  func versions() throws {
    try withFolder { folder in
      let bundle = try prepare([Self.record("A", "x", Self.zones[0])], in: folder)
      let shout = MigrationAction.CustomStep("shout", changesIdentity: false) { draft in
        var louder = draft
        louder["to"] = (draft["to"] as String? ?? "") + "!"
        return [louder]
      }
      let step = MigrationStep("A", .custom(shout))
      let migrator = try migrator([step])
      let container = try ContainerStore.open(path: folder + "/a.sqlite")
      _ = try Archiver().migrate(inPlace: container, with: migrator)
      let again = try #require(throws: MigrationError.self) {
        try Archiver().migrate(inPlace: container, with: migrator)
      }
      #expect(
        "\(again)"
          == "'\(folder)/a.sqlite' has the schema version '2', but the migration starts from '1'")
      let id = RecordID(recordName: "x", zoneID: Self.zones[0])
      #expect(try container.database(.private).record(for: id)["to"] as String? == "!")
      #expect(try container.info().schemaVersion == "2")
      let other = try Migrator([Migration(from: "7", to: "8", steps: [step])])
      #expect(throws: MigrationError.self) {
        try Archiver().migrate(.bundle(bundle), with: other, to: folder + "/c.recordpack")
      }
      #expect(throws: MigrationError.self) {
        try Archiver().dryRun(.container(container), with: migrator)
      }
    }
  }

  @Test("tombstones of types that a filter leaves out do not come along")
  func filtered() throws {
    try withFolder { folder in
      let zone = Self.zones[0]
      let untyped = DeletedRecord(recordID: RecordID(recordName: "u", zoneID: zone))
      let bundle = try prepare(
        [Self.record("A", "x", zone)],
        [Self.tombstone("A", "a", zone), Self.tombstone("B", "b", zone), untyped], in: folder)
      var archiver = Archiver()
      archiver.filter = RecordFilter(recordTypes: ["A"])
      let migrator = try migrator([MigrationStep("A", .renameType(to: "N"))])
      _ = try archiver.migrate(.bundle(bundle), with: migrator, to: folder + "/b.recordpack")
      _ = try archiver.migrate(.bundle(bundle), with: migrator, creating: folder + "/b.sqlite")
      for source in [
        ArchiveSource.bundle(try BundleReader(path: folder + "/b.recordpack")),
        .container(try ContainerStore.open(path: folder + "/b.sqlite")),
      ] {
        var names: [String] = []
        try source.forEachTombstone { tombstone, _ in
          names.append("\(tombstone.recordType ?? "") \(tombstone.recordID.recordName)")
        }
        #expect(names == ["N a"])
      }
    }
  }

  @Test("messages about a container name it, and no file of ours, in one line")
  func messages() throws {
    try withFolder { folder in
      let info = ContainerInfo(
        schema: "DEFINE SCHEMA RECORD TYPE X (a STRING, GRANT READ TO \"_world\");",
        schemaVersion: "1")
      try ContainerStore.build(path: folder + "/c.sqlite", info: info) { _ in }
      let schema = try SchemaDocument(
        parsing: """
          DEFINE SCHEMA RECORD TYPE Y (a STRING, GRANT READ TO "_world");
          """
      ).validSchema()
      let migrator = try Migrator([
        Migration(from: "1", to: "2", steps: [], fromSchema: schema)
      ])
      let container = try ContainerStore.open(path: folder + "/c.sqlite")
      for isInPlace in [true, false] {
        let error = try #require(throws: MigrationError.self) {
          _ =
            isInPlace
            ? try Archiver().migrate(inPlace: container, with: migrator)
            : try Archiver().dryRun(.container(container), with: migrator)
        }
        let text = "\(error)"
        #expect(text.hasPrefix("'\(folder)/c.sqlite' does not have the schema"), "\(text)")
        #expect(!text.contains("\n") && !text.contains(".recordpack"), "\(text)")
      }
    }
  }
}
