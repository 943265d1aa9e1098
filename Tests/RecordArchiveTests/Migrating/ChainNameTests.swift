import Foundation
import RecordBundle
import RecordMigration
import RecordModel
import RecordStore
import StoreTestSupport
import Testing

@testable import RecordArchive

/// After each plan of a chain, a name belongs to one record: the next plan finds records by their
/// names.
@Suite("Names between the plans of a chain")
struct ChainNameTests {
  private static let zones = ["Z1", "Z2"].map { ZoneID(zoneName: $0) }

  private static func record(
    _ type: String, _ name: String, _ fields: [String: RecordValue], zone: Int = 0
  ) -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: zones[zone]), recordType: type,
        recordChangeTag: "1"),
      fields: fields.map { Field(name: $0.key, value: $0.value) })
  }

  private static func reference(_ name: String) -> RecordValue {
    .reference(Reference(recordID: RecordID(recordName: name, zoneID: zones[0])))
  }

  private static let records = [
    record("S", "a1", ["n": .int64(1), "l": .stringList(["e"])]),
    record("S", "a1.l.0", ["n": .int64(4)]), record("S", "a2", ["n": .int64(2)]),
    record("U", "u1", ["r": reference("a1")]), record("U", "u2", ["r": reference("a2")]),
    record("S", "a1", ["n": .int64(3)], zone: 1),
  ]

  private func bundle(in folder: String) throws -> BundleReader {
    let path = folder + "/a.recordpack"
    let writer = try BundleWriter(path: path, container: ContainerInfo(schemaVersion: "v1"))
    for zone in Self.zones { try writer.write(RecordZone(zoneID: zone), database: .private) }
    for record in Self.records { try writer.write(record, database: .private) }
    _ = try writer.finish()
    return try BundleReader(path: path)
  }

  private func migrator(_ steps: [String]) throws -> Migrator {
    try Migrator(
      steps.enumerated().map { number, step in
        let (from, to) = ("v\(number + 1)", "v\(number + 2)")
        return try MigrationPlan(
          yaml: "recordpack-migration: 1\nfrom: \(from)\nto: \(to)\nsteps:\n  - {\(step)}\n"
        ).migration
      })
  }

  private static let a1IsA2 = "do: rename-records, type: S, name: \"'a2'\", where: n == 1"

  @Test(
    "are those of one record each, or every form ends with an error",
    arguments: [
      (a1IsA2, "do: rename-records, type: S, name: \"'a3'\", where: n == 2"),
      (a1IsA2, "do: leave-behind, type: S, where: n == 2"),
      (a1IsA2, "do: look-up, type: U, field: m, through: r, of: S, from: n"),
      (
        "do: rename-records, type: S, name: \"'x'\", where: n < 3",
        "do: rename-records, type: S, name: \"'y'\", where: n == 1"
      ),
      (
        "do: move, type: S, from-zone: Z1, to-zone: Z2",
        "do: rename-records, type: S, name: \"'z'\", where: n == 3"
      ),
      (
        "do: split-list, type: S, field: l, into: E, as: e, back-reference: s",
        "do: rename-records, type: E, name: \"'e'\""
      ),
    ])
  func duplicates(first: String, second: String) throws {
    try withFolder { folder in
      let bundle = try bundle(in: folder)
      let migrator = try migrator([first, second])
      let inPlace = try ContainerStore.inMemory()
      try Archiver().importBundle(bundle, into: inPlace)
      let source = ArchiveSource.bundle(bundle)
      let forms: [() throws -> Void] = [
        { _ = try Archiver().dryRun(source, with: migrator) },
        { _ = try Archiver().migrate(source, with: migrator, to: folder + "/b.recordpack") },
        { _ = try Archiver().migrate(source, with: migrator, creating: folder + "/b.sqlite") },
        { _ = try Archiver().migrate(inPlace: inPlace, with: migrator) },
        {
          try Archiver().importBundles(
            [.init(bundle, with: migrator)], into: try ContainerStore.inMemory())
        },
      ]
      for (number, form) in forms.enumerated() {
        let error = #expect(throws: MigrationError.self, "form \(number)") { try form() }
        #expect(error?.code == .collision)
        #expect(error?.message.contains("in version 'v2'") == true, "\(error?.message ?? "")")
      }
    }
  }

  @Test("may be exchanged, and may be those of the same record in two bundles")
  func exchanged() throws {
    try withFolder { folder in
      let bundle = try bundle(in: folder)
      let migrator = try migrator([
        "do: rename-records, type: S, name: \"if(n == 1, 'a2', 'a1')\", where: n < 3",
        "do: rename-records, type: S, name: \"'last-' + recordName\"",
      ])
      let container = try ContainerStore.inMemory()
      try Archiver().importBundles(
        [.init(bundle, with: migrator), .init(bundle, with: migrator)], into: container)
      for (name, target) in [("u1", "last-a2"), ("u2", "last-a1")] {
        let record = try container.database(.private).record(
          for: RecordID(recordName: name, zoneID: Self.zones[0]))
        let reference: Reference? = record["r"]
        #expect(reference?.recordID.recordName == target)
      }
    }
  }
}
