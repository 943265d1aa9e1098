import ArgumentParser
import Foundation
import RecordArchive
import RecordBundle
import RecordCoding
import RecordMigration
import RecordSchema
import RecordText

struct MigratePlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Draft a plan from two schemas.",
    discussion: """
      Writes the steps that follow from the schemas. Every guess and every gap is a
      comment that begins with QUESTION. Steps that would lose values are comments
      until you decide; until then, the plan is rejected.

      A plan names its schemas relative to its folder. With -o, schemas beside the
      plan are named by version; on standard output, paths are relative to the
      working directory. Schemas may also come from a git revision or a bundle; such
      a plan is checked against the schemas when they are beside it.

      EXAMPLES
        recordpack migrate plan Plans/v1.ckdb Plans/v2.ckdb -o Plans/draft.yml
        recordpack migrate plan Plans/v1.ckdb Plans/v2.ckdb --json
      """)

  @Argument(
    help: "The schema of the records: a file, a git revision (main:a.ckdb), or a bundle.",
    completion: .file(extensions: ["ckdb"]))
  var from: String

  @Argument(help: "The target schema.", completion: .file(extensions: ["ckdb"]))
  var to: String

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write. (default: standard output)", valueName: "file"),
    completion: .file(extensions: ["yml", "yaml"]))
  var output: String?

  @Flag(name: [.short, .long], help: "Replace an existing file.")
  var force = false

  @OptionGroup var report: ReportOptions

  private var file: String? { output == "-" ? nil : output }

  func validate() throws {
    try refuseSecondStandardInput([from, to])
    try refuse([("--force", force && file == nil)], "to standard output")
    try refuse([("--color", report.color == .always)], "to a plan, which has no colours")
  }

  func run() throws {
    if let file, !force, FileManager.default.fileExists(atPath: file) {
      throw CommandError("'\(file)' already exists; use --force to replace it")
    }
    try Inputs.refuseOverwriting([from, to], by: [.init(path: output ?? "-")])
    let old = try SchemaInput.valid(from, .text).schema
    let new = try SchemaInput.valid(to, .text).schema
    let placement = PlanPlacement(output: file)
    let names = (from: try placement.name(ofSchema: from), to: try placement.name(ofSchema: to))
    let draft = PlanDraft(
      from: old, named: names.from, to: new, named: names.to,
      editorSchema: placement.editorSchema)
    if let file {
      try TextFile.write(draft.yaml, to: file, overwrite: force)
    }
    try tell(draft, names)
  }

  private func tell(_ draft: PlanDraft, _ names: (from: String, to: String)) throws {
    let lines =
      report.isJSON
      ? [json(draft, names).visibleText]
      : file == nil ? [StandardOutput.shown(Self.withoutLastBreak(draft.yaml))] : []
    if file == nil { try ReportOptions.write(lines) } else { try ReportOptions.tellDone(lines) }
    let asked = draft.questions
    let note =
      (file.map { "Wrote '\($0)'; " } ?? "") + Numbers.count(asked, "question") + " to answer"
      + (asked > 0 ? ": look for QUESTION" : "")
    StandardError.write((report.isJSON ? ErrorDocument.document("note", note) : note) + "\n")
  }

  private static func withoutLastBreak(_ text: String) -> String {
    text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  private func json(_ draft: PlanDraft, _ names: (from: String, to: String)) -> JSONValue {
    ReportOptions.document(
      "migrate.plan",
      [
        .init("from", .string(names.from)), .init("to", .string(names.to)),
        .init("questions", .integer(draft.questions)), .init("plan", .string(draft.yaml)),
      ])
  }
}
