import ArgumentParser
import Foundation
import RecordArchive
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
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

      Add steps yourself for a list that becomes records (split-list), for fields
      that become a record (split-record), and for values of other records
      (look-up).

      A plan names its schemas relative to its folder. With -o, schemas beside the
      plan are named by version; on standard output, paths are relative to the
      working directory. Schemas may also come from a git revision or a bundle; such
      a plan is checked against the schemas when they are beside it. Of a bundle or
      container, a question on a removed type says how many records it has.

      EXAMPLES
        recordpack migrate plan Plans/v1.ckdb Plans/v2.ckdb -o Plans/draft.yml
        recordpack migrate plan Plans/v1.ckdb Plans/v2.ckdb --json
        recordpack migrate plan App.xcdatamodeld#V1 App.xcdatamodeld -o draft.yml
      """)

  @Argument(
    help: "The schema of the records: a file, a git revision (main:a.ckdb), or a bundle.",
    completion: .file(extensions: ["ckdb"]))
  var from: String

  @Argument(help: "The target schema.", completion: .file(extensions: ["ckdb"]))
  var to: String

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    try refuseSecondStandardInput([from, to])
    try refuse(report.givenColor, "to a plan, which has no colours")
  }

  func run() throws {
    try output.check(inputs: [from, to])
    let (before, after) = (
      try SchemaInput.whole(from, models), try SchemaInput.whole(to, models)
    )
    let (old, new) = (before.schema, after.schema)
    let placement = PlanPlacement(output: output.file)
    var names = (
      from: try placement.name(of: before, at: from), to: try placement.name(of: after, at: to)
    )
    if before.model != nil, after.model != nil, names.from == names.to {
      names = PlanPlacement.names(of: from, to, base: names.from)
    }
    let draft = PlanDraft(
      from: old, named: names.from, to: new, named: names.to, models: (before.model, after.model),
      counts: try counts(), editorSchema: placement.editorSchema)
    try output.write(draft.yaml, report) {
      ReportOptions.document(
        "migrate.plan",
        [
          "from": names.from, "to": names.to, "questions": draft.questions, "plan": draft.yaml,
        ])
    }
    let written = output.file.map { "Wrote '\($0)'; " } ?? ""
    let hint = draft.questions > 0 ? ": look for QUESTION" : ""
    ErrorReport.note(written + Numbers.count(draft.questions, "open question") + hint)
  }

  /// The number of records of each type, if the schema is that of records.
  private func counts() throws -> [ExactString: Int]? {
    guard SchemaInput.isArchive(at: from) else { return nil }
    return try Inputs.source(from).sections().reduce(into: [:]) {
      $0[ExactString($1.recordType), default: 0] += $1.records
    }
  }
}

/// The location of a plan, whose paths are relative to its folder.
struct PlanPlacement {
  /// The absolute path of the plan's folder.
  private let folder: [String]
  /// Whether the folder is known; if not, the working directory is assumed.
  private let isKnown: Bool

  /// - Parameter output: The path of the plan; nil for standard output.
  init(output: String?) {
    isKnown = output != nil
    folder =
      output.map { Array(Self.components($0).dropLast()) }
      ?? Self.components(FileManager.default.currentDirectoryPath)
  }

  /// The name of a schema in the plan. A plan names no file of a model, which is no schema file.
  func name(of schema: SchemaDocument, at path: String) throws -> String {
    guard schema.model != nil else { return try name(ofSchema: path) }
    let parts = path.split(separator: "#").map(String.init)
    let version = parts.count > 1 ? "@" + (parts.last ?? "") : ""
    return Self.stem(parts.first ?? path) + version
  }

  /// Names two models that have the same name by the last part of their paths that differs, such as
  /// the folders of two checkouts.
  static func names(of from: String, _ to: String, base: String) -> (from: String, to: String) {
    let pairs = zip(components(from).reversed(), components(to).reversed())
    guard let parts = pairs.first(where: { $0 != $1 }) else { return (base, base) }
    return ("\(base)@\(parts.0)", "\(base)@\(parts.1)")
  }

  /// The value of the plan's `from` or `to`: the version for a schema in the plan's folder, else
  /// the path.
  func name(ofSchema path: String) throws -> String {
    guard FileManager.default.fileExists(atPath: path) else {
      // A revision of git: `main:schemas/v2.ckdb`.
      let parts = path.split(separator: ":", maxSplits: 1).map(String.init)
      return "\(Self.stem(parts.last ?? path))@\(parts.first ?? "")"
    }
    guard path.hasSuffix(".ckdb") else {
      let isArchive = ArchiveSource.isContainer(path) || (try? BundleReader(path: path)) != nil
      guard isArchive else {
        throw CommandError(
          "'\(path)': a plan requires schema files that end in .ckdb; rename the file")
      }
      return try Inputs.source(path).info().schemaVersion ?? Self.stem(path)
    }
    let way = relative(path)
    guard isKnown, !way.contains("/"), way.hasSuffix(".ckdb"), way.count > 5 else { return way }
    return String(way.dropLast(5))
  }

  /// The path of the JSON Schema of plans in a folder near the plan; nil if there is none.
  var editorSchema: String? {
    let name = "recordpack-migration-v1.schema.json"
    for way in ["", "../", "../../", "Schemas/", "../Schemas/", "../../Schemas/"] {
      let path = "/" + folder.joined(separator: "/") + "/" + way + name
      if FileManager.default.fileExists(atPath: path) { return way + name }
    }
    return nil
  }

  private static func stem(_ path: String) -> String {
    ((path as NSString).lastPathComponent as NSString).deletingPathExtension
  }

  private func relative(_ path: String) -> String {
    let target = Self.components(path)
    let common = zip(folder, target).prefix { $0 == $1 }.count
    // Uses an absolute path instead of one that goes up to the root.
    guard common > 0 || folder.isEmpty else { return "/" + target.joined(separator: "/") }
    return (Array(repeating: "..", count: folder.count - common) + target[common...])
      .joined(separator: "/")
  }

  private static func components(_ path: String) -> [String] {
    let start = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
    var parts: [String] = []
    for part in (start + path).split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    return parts
  }
}
