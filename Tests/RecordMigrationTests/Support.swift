import Foundation
import RecordCoding
import RecordModel

@testable import RecordMigration

// Every file of these tests uses it.
@_exported import TestSupport

enum Sample {
  static let zone = ZoneID(zoneName: "Chats")
  static let other = ZoneID(zoneName: "Other")

  static func record(
    _ type: String = "Note", _ name: String = "n1", zone: ZoneID = zone, parent: Reference? = nil,
    _ fields: [String: RecordValue] = [:], encrypted: [String: RecordValue] = [:]
  ) -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: zone), recordType: type,
        recordChangeTag: "1a", parent: parent),
      fields: fields.map { Field(name: $0.key, value: $0.value) }
        + encrypted.map { Field(name: $0.key, value: $0.value, isEncrypted: true) })
  }

  static func record(
    _ fields: [String: RecordValue], encrypted: [String: RecordValue] = [:]
  ) -> ResultRecord {
    record("Note", "n1", fields, encrypted: encrypted)
  }

  static func reference(_ name: String, zone: ZoneID = zone) -> RecordValue {
    .reference(Reference(recordID: RecordID(recordName: name, zoneID: zone)))
  }
}

extension Sample {
  /// Returns an environment that knows how the stages of a migration change the IDs of records.
  static func environment(
    of migrator: Migrator, knowing records: [ResultRecord]
  ) throws -> MigrationEnvironment {
    var environment = Sample.environment
    for stage in migrator.stages.indices {
      var values = LookUpValues()
      let runner = MigrationRunner(migrator, environment: environment, isDryRun: true)
      for record in records {
        let record = EditableRecord(record, in: .private)
        for entry in try runner.lookUpValues(of: record, at: stage) {
          values.note(entry)
        }
      }
      environment.lookUps[stage] = values
      guard migrator.stages[stage].changesIdentity else { continue }
      var map = RecordIDMap()
      let search = MigrationRunner(migrator, environment: environment, isDryRun: true)
      for record in records {
        let record = EditableRecord(record, in: .private)
        for change in try search.identityChanges(of: record, after: stage) where change.isNew {
          guard let before = change.before, let after = change.after else { continue }
          map.note(before, became: after, in: .private)
        }
      }
      if !map.isEmpty { environment.identities[stage] = map }
    }
    return environment
  }
}

extension Migrator {
  /// Returns the results of migrating a record, and adds the counts to a report.
  ///
  /// - Parameter isDryRun: Whether to continue after failures and only count them.
  func migrate(
    _ record: ResultRecord, in database: DatabaseScope, environment: MigrationEnvironment,
    isDryRun: Bool = false, report: inout MigrationReport
  ) throws -> [ResultRecord] {
    let runner = MigrationRunner(self, environment: environment, isDryRun: isDryRun)
    defer { report.add(runner.takeOutcome().report) }
    return try runner.run(record, in: database)
  }
}
