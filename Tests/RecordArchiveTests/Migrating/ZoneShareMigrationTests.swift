import Foundation
import RecordBundle
import RecordMigration
import RecordModel
import RecordStore
import StoreTestSupport
import Testing

@testable import RecordArchive

@Suite("The share of a whole zone")
struct ZoneShareMigrationTests {
  private static let zone = ZoneID(zoneName: "Z1")

  /// A bundle of a zone with its share, and one record.
  private func bundle(in folder: String) throws -> BundleReader {
    let path = folder + "/a.recordpack"
    let share = RecordID(recordName: Share.zoneWideRecordName, zoneID: Self.zone)
    let writer = try BundleWriter(path: path, container: ContainerInfo(schemaVersion: "1"))
    try writer.write(
      RecordZone(zoneID: Self.zone, share: Reference(recordID: share)), database: .private)
    for (recordID, type) in [
      (RecordID(recordName: "a1", zoneID: Self.zone), "A"), (share, Share.recordType),
    ] {
      try writer.write(
        ResultRecord(
          systemFields: SystemFields(
            recordID: recordID, recordType: type, recordChangeTag: "1"), fields: []),
        database: .private)
    }
    _ = try writer.finish()
    return try BundleReader(path: path)
  }

  /// The reports of a dry run, and of a migration to a bundle and in place.
  private func reports(_ step: String, in folder: String) throws -> [MigrationReport] {
    let bundle = try bundle(in: folder)
    let plan = "recordpack-migration: 1\nfrom: '1'\nto: '2'\nsteps:\n  - {\(step)}\n"
    let migrator = try Migrator([MigrationPlan(yaml: plan).migration])
    let container = try ContainerStore.inMemory()
    try Archiver().importBundle(bundle, into: container)
    let dryRun = try Archiver().dryRun(.bundle(bundle), with: migrator)
    if dryRun.hasFailures { return [dryRun] }
    return [
      dryRun,
      try Archiver().migrate(.bundle(bundle), with: migrator, to: folder + "/b.recordpack").report,
      try Archiver().migrate(inPlace: container, with: migrator),
    ]
  }

  @Test(
    "keeps its name and zone: a step that would change them does not fit",
    arguments: [
      "do: move, type: '*', to-zone: Z9", "do: rename-records, type: '*', name: \"'new'\"",
    ])
  func misfits(step: String) throws {
    try withFolder { folder in
      let failed = try reports(step, in: folder)
      #expect(failed.map(\.steps[0].failed) == [1])
      #expect(failed[0].steps[0].examples[0].contains("the share of the whole zone"))
      for report in try reports(step + ", misfit: skip", in: folder) {
        #expect(report.steps[0].skipped == 1 && report.danglingReferences == 1)
      }
      let others = "\(step), where: \"recordName != 'cloudkit.zoneshare'\""
      for report in try reports(others, in: folder) {
        #expect(!report.hasFailures && report.danglingReferences == 0)
        #expect(report.steps[0].changed == 1)
      }
    }
  }

  @Test("is counted as the target of its zone's reference when it is left behind")
  func leftBehind() throws {
    try withFolder { folder in
      for report in try reports("do: delete-type, type: cloudkit.share", in: folder) {
        #expect(report.danglingReferences == 1)
      }
    }
  }
}
