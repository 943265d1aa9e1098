import RecordModel
import Testing

@testable import RecordMigration

@Suite("The step move")
struct MoveTests {
  private func migrator(_ steps: String...) throws -> Migrator {
    try Migrator([
      MigrationPlan(
        yaml: "recordpack-migration: 1\nfrom: v1\nto: v2\nsteps:\n"
          + steps.map { "  - {\($0)}\n" }.joined()
      ).migration
    ])
  }

  private func zone(_ text: String) -> ZoneID { ZoneID(argument: text) ?? .default }

  @Test(
    "moves a record to a zone of the same owner",
    arguments: [
      ("Z1", "to-zone: Z9", "Z9"), ("P/_u2", "to-zone: Z9", "Z9/_u2"),
      ("P/_u2", "to-zone: Z9/_u2", "Z9/_u2"), ("P/_u2", "to-zone: Z9, from-zone: P", "P/_u2"),
      ("P/_u2", "to-zone: Z9, from-zone: P/_u2", "Z9/_u2"),
    ])
  func owners(source: String, keys: String, target: String) throws {
    let migrator = try migrator("do: move, type: A, \(keys)")
    let record = Sample.record("A", "a", zone: zone(source))
    let results = try migrator.migrate(record)
    #expect(results.map(\.recordID.zoneID) == [zone(target)])
    guard keys.contains("from-zone") else { return }
    let back = try Migrator([migrator.migrations[0].reversed()])
    #expect(try back.migrate(results[0]).map(\.recordID) == [record.recordID])
  }

  @Test(
    "does not fit a record of another owner or of the shared database",
    arguments: [
      ("Z1", DatabaseScope.private, "Z9/_u2", "but 'Z9/_u2' has another owner"),
      ("P/_u2", .private, "Z9/_u3", "but 'Z9/_u3' has another owner"),
      ("Zo/_o", .shared, "Z9", "add 'database: private'"),
    ])
  func misfits(source: String, database: DatabaseScope, target: String, part: String) throws {
    let migrator = try migrator("do: move, type: A, to-zone: \(target)")
    let error = #expect(throws: MigrationError.self) {
      try migrator.migrate(Sample.record("A", "a", zone: zone(source)), in: database)
    }
    #expect(error?.code == .misfit && error?.message.contains(part) == true)
  }

  @Test("rejects an owner that CloudKit does not allow")
  func ownerNames() throws {
    let error = #expect(throws: MigrationError.self) {
      try migrator("do: move, type: A, to-zone: Z/ü")
    }
    #expect(error?.message.contains("'ü' is not a valid name of a zone's owner") == true)
    #expect(error?.location?.line == 5)
  }

  @Test(
    "counts the records whose references then lead to another zone",
    arguments: [
      (["A"], 2), (["A", "B"], 1), (["A", "B", "S"], 0), (["B"], 1), (["C"], 1), (["D"], 0),
    ])
  func crossing(types: [String], count: Int) throws {
    let migrator = try migrator("do: move, type: [\(types.joined(separator: ", "))], to-zone: Z9")
    var shared = SystemFields(
      recordID: RecordID(recordName: "a1", zoneID: Sample.zone), recordType: "A")
    shared.share = Reference(recordID: RecordID(recordName: "s1", zoneID: Sample.zone))
    let parent = Reference(recordID: shared.recordID)
    let records = [
      ResultRecord(systemFields: shared, fields: []), Sample.record("S", "s1"),
      Sample.record(
        "B", "b1", parent: parent,
        ["r": .reference(parent), "l": .referenceList([parent])]),
      // This reference led to another zone before.
      Sample.record("C", "c1", ["r": Sample.reference("x", zone: Sample.other)]),
      Sample.record("D", "d1", ["n": .int64(1)]),
    ]
    let environment = try Sample.environment(of: migrator, knowing: records)
    var report = migrator.emptyReport()
    for record in records {
      _ = try migrator.migrate(
        record, in: .private, environment: environment, report: &report)
    }
    #expect(report.crossingReferences.count == count, "\(report.crossingReferences.examples)")
  }
}
