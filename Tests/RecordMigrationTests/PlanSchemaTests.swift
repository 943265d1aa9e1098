import Foundation
import Testing

@testable import RecordMigration

/// The JSON Schema that editors complete plans by, held against our reader by a validator that is
/// not ours.
@Suite("The JSON Schema of plans")
struct PlanSchemaTests {
  /// What python's validator says of plans; nil where it is not installed.
  private func verdicts(_ plans: [String]) async throws -> [Bool]? {
    try await SchemaValidator.verdicts(of: plans, by: "recordpack-migration-v1.schema.json")
  }

  private func plan(_ step: String) -> String {
    "recordpack-migration: 1\nfrom: a\nto: b\nsteps:\n  - \(step)\n"
  }

  @Test("takes every kind of step, and Tact's plans")
  func accepts() async throws {
    var plans = [
      "{do: rename-type, type: A, to: B}",
      "{do: merge-types, type: [A, B], into: C, discriminator: k}",
      "{do: delete-type, type: A, where: x > 1}", "{do: leave-behind, type: '*', where: has(x)}",
      "{do: rename-field, type: A, field: a, to: b, database: private, zone: Z, note: why}",
      "{do: add-field, type: A, field: a, as: LIST<STRING>, value: [x, y]}",
      "{do: add-field, type: A, field: a, from: b}",
      "{do: add-field, type: A, field: a, expression: 'b + 1', misfit: null}",
      "{do: drop-field, type: A, field: a}",
      "{do: convert, type: A, field: a, from: STRING, to: TIMESTAMP, format: yyyy-MM-dd, misfit: {keep-in: b}}",
      "{do: convert, type: A, field: a, to: INT64, misfit: skip}",
      "{do: map-values, type: A, field: a, values: {low: 1, high: 2}, otherwise: {value: 0}}",
      "{do: encrypt, type: A, field: a}", "{do: decrypt, type: A, field: a, misfit: fail}",
      "{do: set-parent, type: A, field: a, keep-field: false}",
      "{do: set-reference, type: A, field: a, action: DELETE_SELF, keep-parent: true}",
      "{do: clear-parent, type: A}", "{do: move, type: A, to-zone: Z, from-zone: Y}",
      "{do: rename-records, type: A, name: \"'x' + recordName\", reverse: recordName}",
      "{do: split-list, type: A, field: a, into: B, as: b, position: c, back-reference: d, "
        + "action: DELETE_SELF, parent: true, keep-field: true}",
      "{do: split-record, type: A, fields: [a, b], into: B, reference: c, parent: false}",
      "{do: look-up, type: A, field: a, through: parent, of: B, from: b}",
    ].map(plan)
    #expect(
      Set(plans.map { $0.split(separator: "do: ")[1].prefix { $0 != "," } }).count
        == PlanStepReader.names.count, "one plan for each kind of step")
    let folder = Place.package.appending(path: "Schemas/Tact")
    for number in 2...5 {
      plans.append(
        try String(contentsOf: folder.appendingPathComponent("v\(number).yml"), encoding: .utf8))
    }
    for plan in plans { #expect(throws: Never.self) { try MigrationPlan(yaml: plan) } }
    guard let verdicts = try await verdicts(plans) else { return }
    #expect(verdicts == plans.map { _ in true })
  }

  @Test("refuses what the reader refuses")
  func refuses() async throws {
    let plans =
      [
        "{do: rename-typ, type: A, to: B}", "{do: rename-type, type: A}", "{type: A, to: B}",
        "{do: rename-field, type: A, field: a, to: b, too: c}", "{do: drop-field, field: a}",
        "{do: convert, type: A, field: a}", "{do: convert, type: A, field: a, to: TEXT}",
        "{do: convert, type: A, field: a, to: INT64, multiply: 1000}",
        "{do: add-field, type: A, field: a}",
        "{do: split-list, type: A, field: a, into: B, as: b}",
        "{do: split-list, type: A, field: a, into: B, as: b, parent: false}",
        "{do: split-record, type: A, fields: [], into: B, reference: c}",
        "{do: look-up, type: A, field: a, through: b, from: b}",
        "{do: add-field, type: A, field: a, value: 1, from: b}",
        "{do: encrypt, type: A, field: a, misfit: perhaps}",
        "{do: encrypt, type: A, field: a, misfit: {keep: b}}",
        "{do: map-values, type: A, field: a, values: {}}", "{do: move, type: A}",
        "{do: set-reference, type: A, field: a, action: CASCADE}",
        "{do: encrypt, type: A, field: a, database: secret}", "rename-type",
      ].map(plan) + ["from: a\nto: b\nsteps: []", "recordpack-migration: 1\nto: b\nsteps: []"]
    for plan in plans { #expect(throws: MigrationError.self) { try MigrationPlan(yaml: plan) } }
    guard let verdicts = try await verdicts(plans) else { return }
    #expect(verdicts == plans.map { _ in false })
  }
}
