import RecordCoding
import RecordModel

/// The values that the look-ups of one migration need, in memory: one for each record of the types
/// that are looked up.
package struct LookUpValues: Sendable {
  private struct Key: Hashable {
    let zone: Int
    let name: CompactName
  }

  private var zones: [ZoneLocation: Int] = [:]
  private var fields: [LookUpSource: [Key: Field?]] = [:]

  package init() {}

  /// A record's value of a field, `nil` if it has none.
  package typealias Entry = (
    source: LookUpSource, recordID: RecordID, database: DatabaseScope, field: Field?
  )

  package mutating func note(_ entry: Entry) {
    let location = ZoneLocation(entry.database, entry.recordID.zoneID)
    let zone = zones[location] ?? zones.count
    zones[location] = zone
    fields[entry.source, default: [:]][Key(zone: zone, name: entry.recordID.packedName)] =
      .some(entry.field)
  }

  /// Returns the value of a record's field; `nil` if there is no such record of the type, and a
  /// `nil` field if the record does not have it.
  func field(
    _ source: LookUpSource, of recordID: RecordID, in database: DatabaseScope
  ) -> Field?? {
    guard let zone = zones[ZoneLocation(database, recordID.zoneID)] else { return nil }
    return fields[source]?[Key(zone: zone, name: recordID.packedName)]
  }
}

/// Finds the values that the look-ups of one migration need.
package final class LookUpFinder {
  private let runner: MigrationRunner
  private let stage: Int
  private let sources: Set<LookUpSource>

  /// - Parameter stage: The index of the migration. The migrations before it run.
  package init(_ migrator: Migrator, at stage: Int, _ environment: MigrationEnvironment) {
    // Failures are reported by the actual run.
    runner = MigrationRunner(migrator, environment: environment, isDryRun: true)
    self.stage = stage
    sources = migrator.stages[stage].lookUps
  }

  /// Returns the values of a record.
  ///
  /// - Parameter record: Must not have been changed since it was loaded.
  package func values(of record: EditableRecord) throws -> [LookUpValues.Entry] {
    record.begin()
    return try runner.run(record, stages: 0..<stage).flatMap { result in
      sources.filter { $0.recordType.sameScalars(as: result.recordType) }.map {
        ($0, result.recordID, result.database, result.field(named: $0.field))
      }
    }
  }
}
