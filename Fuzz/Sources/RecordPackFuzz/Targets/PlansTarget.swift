import Foundation
import RecordModel

@testable import RecordCoding
@testable import RecordMigration

/// Migration plans, run on the samples, forth and back.
struct PlansTarget: FuzzTarget {
  /// The samples as values, and as a bundle has them.
  private let records: [(values: ResultRecord, bytes: ResultRecord)]

  init() throws {
    records = try Samples.records.map { record in
      let buffer = ByteBuffer()
      try RecordJSONWriter().write(record, to: buffer)
      guard let bytes = RecordJSONReader().readCanonical(buffer.bytes) else {
        throw CocoaError(.coderInvalidValue)
      }
      return (record, bytes)
    }
  }

  func run(_ input: [UInt8]) throws {
    let plan = try MigrationPlan(yaml: String(decoding: input, as: UTF8.self))
    let migrator = try Migrator([plan.migration])
    let back = try? Migrator([plan.migration.reversed()])
    let runner = MigrationRunner(migrator, environment: MigrationEnvironment(), isDryRun: true)
    for _ in 0..<2 {
      for (record, bytes) in records {
        let results = self.results(of: record, migrator, back)
        let fromBytes = try? migrator.migrate(
          bytes, in: .private, environment: MigrationEnvironment())
        let fromValues = try? migrator.migrate(
          record, in: .private, environment: MigrationEnvironment())
        require(fromBytes == fromValues, "bytes and values are migrated differently")
        // A runner that knows records like it already does the same with this one.
        require(
          (try? runner.run(EditableRecord(bytes, in: .private))).map {
            runner.results.map(\.resultRecord)
          } == results, "a record is migrated differently after others")
      }
    }
  }

  private func results(
    of record: ResultRecord, _ migrator: Migrator, _ back: Migrator?
  ) -> [ResultRecord]? {
    let runner = MigrationRunner(migrator, environment: MigrationEnvironment(), isDryRun: true)
    guard let results = try? runner.run(record, in: .private) else { return nil }
    let report = runner.takeOutcome().report
    for result in results {
      checkAccess(result)
      checkCircle(result)
    }
    if let back, report.isLossless, Self.comparesBack(migrator) {
      let ends = try? results.flatMap { try back.migrate($0) }
      require(
        ends == [record],
        "forth without loss, and back is another record: \(String(describing: ends)) \(record)")
    }
    return results
  }

  /// Whether all that may be in the way of going back is in the record itself: a type that others
  /// have too is known from a schema only.
  private static func comparesBack(_ migrator: Migrator) -> Bool {
    migrator.migrations.allSatisfy {
      $0.steps.allSatisfy { !["rename-type", "merge-types"].contains($0.action.name) }
    }
  }
}
