import ArgumentParser
import Foundation
import RecordCoding
import RecordSchema
import RecordText

struct SchemaGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Generate Swift structs for the record types of a schema.",
    discussion: """
      Writes a file for each record type into a directory: a struct with a property
      for each field, the names of the fields, and code that reads it from a record
      and writes it to a draft. A PATH that ends in .swift gets all types in one
      file. Files are written only where they differ; files for types that the
      schema no longer has are removed, so that code that uses them does not build.

      With --check, nothing is written: files that are not what the schema gives are
      listed, and the exit code is 1 if there are any.

      EXAMPLES
        recordpack schema generate schema.ckdb --swift Sources/Model
        recordpack schema generate schema.ckdb --swift Model.swift --access public
        recordpack schema generate schema.ckdb --swift Sources/Model --check
      """)

  @Argument(help: "A schema.", completion: .file())
  var schema: String

  @Option(
    help: ArgumentHelp("The directory, or the file, of the Swift code.", valueName: "path"),
    completion: .file())
  var swift: String

  @Option(help: ArgumentHelp("The access level: internal, package or public.", valueName: "level"))
  var access = SwiftSource.Options.Access.internal

  @Flag(help: "Add the change tag, the dates, the users and the share.")
  var systemFields = false

  @Option(
    name: .customLong("import"),
    help: ArgumentHelp(
      "A module to import in place of RecordCoding and RecordModel. May be given several times.",
      valueName: "module"))
  var modules: [String] = []

  @Flag(help: "List the files that would change, and exit with 1 if there are any.")
  var check = false

  @OptionGroup var report: ReportOptions

  func validate() throws {
    try refuse([("--color", report.color == .always)], "to Swift code, which has no colours")
    if swift.isEmpty { throw ValidationError("--swift has an empty path") }
    for module in modules where !SchemaNames.isPlain(module) {
      throw ValidationError("'\(module)' is not the name of a module")
    }
  }

  func run() throws {
    let document = try SchemaInput.valid(schema, .text)
    var options = SwiftSource.Options()
    options.access = access
    options.hasSystemFields = systemFields
    if !modules.isEmpty { options.imports = modules }
    let source = SwiftSource(document.schema, options)
    guard !source.files.isEmpty else { throw CommandError("the schema has no record types") }
    let files = try GeneratedFiles(source, at: swift)
    let changes = try check ? files.changes() : files.write()
    let lines =
      report.isJSON
      ? [Self.list(changes, check ? "stale" : "written").visibleText]
      : changes.map {
        "\($0.path.visible) \(check ? $0.kind.staleText : $0.kind.doneText)"
      }
    guard check else { return try ReportOptions.tellDone(lines) }
    try ReportOptions.write(lines)
    if !changes.isEmpty { throw ExitCode.findings }
  }

  private static func list(_ changes: [GeneratedFiles.Change], _ member: String) -> JSONValue {
    let items = changes.map { change in
      JSONValue.object([
        .init("path", .string(change.path)), .init("change", .string(change.kind.rawValue)),
      ])
    }
    return ReportOptions.document("schema.swift", [.init(member, .array(items))])
  }
}

extension SwiftSource.Options.Access: ExpressibleByArgument {}
