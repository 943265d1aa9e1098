import RecordCoding
import RecordMigration
import RecordText

/// Prints the report of a migration.
struct MigrationPrinter: CommandReport {
  static let format = "migrate"
  let report: MigrationReport
  let migrator: Migrator
  /// Whether nothing is written.
  var isDryRun = false
  /// The name of the source.
  var source = ""
  /// The version of a source that already has the target version.
  var version = ""

  private var versions: String {
    ([migrator.migrations.first?.from ?? ""] + migrator.migrations.map(\.to))
      .joined(separator: " → ")
  }

  func lines(_ style: TerminalStyle) -> [String] {
    let verb = isDryRun ? "would become" : "became"
    if migrator.migrations.isEmpty {
      // A dry run copies nothing.
      let isCopied = !isDryRun && report.results > 0
      let copied = isCopied ? "; copied \(Numbers.count(report.results, "record"))" : ""
      return [
        "'\(source)' already has the version '\(version)': nothing to migrate\(copied)".visible
      ]
    }
    var lines = [
      "\(versions): \(Numbers.count(report.records, "record")) \(verb) "
        + Numbers.count(report.results, "record")
        + (report.rewrittenReferences > 0
          ? "; \(Numbers.count(report.rewrittenReferences, "reference")) rewritten" : "")
    ].map(\.visible)
    if report.danglingReferences > 0 {
      let count = Numbers.count(report.danglingReferences, "reference")
      lines.append(style.paint("\(count) to records that were left behind", .yellow))
    }
    let makesRecords = report.steps.contains { $0.made > 0 }
    var table = Table([.left, .right, .right] + (makesRecords ? [.right] : []) + [.left])
    func add(_ cells: [Table.Cell], made: Table.Cell, _ last: Table.Cell) {
      table.add(cells + (makesRecords ? [made] : []) + [last])
    }
    let heads = ["step", "records", "changed", "new", "losses"].map { Table.Cell($0, .dim) }
    add(Array(heads[..<3]), made: heads[3], heads[4])
    for step in report.steps {
      add(
        [
          .init(step.title), .init(Numbers.grouped(step.records)),
          .init(Numbers.grouped(step.changed)),
        ], made: .init(Numbers.grouped(step.made)),
        .init(Self.losses(step), step.failed > 0 ? .red : .yellow))
    }
    lines += table.lines(style, indent: "  ")
    for step in report.steps where !step.examples.isEmpty {
      lines.append(style.paint("\(step.title):", .bold))
      lines += step.examples.map { "  " + $0.visible }
    }
    let wrongs = [
      (report.danglingRelationships, "relationship", "to objects that were left behind"),
      (report.crossingReferences, "record", "with references to another zone"),
      (report.sourceMismatches, "record", "not matching the source schema"),
      (report.resultMismatches, "result", "not matching the target schema"),
      (report.collisions, "result", "with a duplicate name"),
    ]
    for (wrong, noun, what) in wrongs where wrong.count > 0 {
      let count = Numbers.count(wrong.count, noun)
      lines.append(style.paint("\(count) \(what):", .red))
      lines += wrong.examples.map { "  " + $0.visible }
    }
    return lines
  }

  private static func counts(_ step: MigrationReport.Step) -> [(
    key: String, count: Int, words: String
  )] {
    [
      ("failed", step.failed, "do not fit"), ("nulled", step.nulled, "dropped as misfits"),
      ("kept", step.kept, "kept elsewhere"), ("skipped", step.skipped, "skipped"),
      ("undecided", step.undecided, "undecided"), ("dropped", step.dropped, "dropped"),
      ("leftBehind", step.leftBehind, "left behind"), ("inexact", step.inexact, "inexact"),
    ]
  }

  private static func losses(_ step: MigrationReport.Step) -> String {
    counts(step).filter { $0.count > 0 }.map { "\(Numbers.grouped($0.count)) \($0.words)" }
      .joined(separator: ", ")
  }

  var json: JSONValue {
    [
      "dryRun": isDryRun, "from": migrator.migrations.first?.from ?? version,
      "to": migrator.migrations.last?.to ?? version, "records": report.records,
      "results": report.results, "unchanged": report.unchanged,
      "rewrittenReferences": report.rewrittenReferences,
      "danglingReferences": report.danglingReferences,
      "danglingRelationships": report.danglingRelationships.count,
      "danglingExamples": report.danglingRelationships.examples,
      "crossingReferences": report.crossingReferences.count,
      "crossingExamples": report.crossingReferences.examples,
      "openQuestions": migrator.openQuestions,
      "wrongSources": report.sourceMismatches.count,
      "wrongSourceExamples": report.sourceMismatches.examples,
      "wrongResults": report.resultMismatches.count,
      "wrongExamples": report.resultMismatches.examples, "collisions": report.collisions.count,
      "collisionExamples": report.collisions.examples, "steps": report.steps.map(Self.json),
    ]
  }

  private static func json(_ step: MigrationReport.Step) -> JSONValue {
    .merging(
      [
        "step": step.title, "file": step.location?.file, "line": step.location?.line,
        "records": step.records, "changed": step.changed, "made": step.made,
      ], .object(counts(step).map { .init($0.key, .integer($0.count)) }),
      ["examples": step.examples])
  }
}
