import ArgumentParser
import Foundation
import RecordCoding
import RecordSchema
import RecordText

struct SchemaPrintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "print",
    abstract: "Print a schema as CloudKit exports it.",
    discussion: """
      The text equals CloudKit's export byte for byte; comments stay above what
      they describe. With --check, lists the files that would change, and exits
      with 1 if there are any. With --write, changes the files in place, if all can
      be changed; owner and permissions are kept. With --json, prints the types,
      fields and grants for programs.

      Of a model, prints the schema that initializeCloudKitSchema() makes: with the
      fields of large values and of shared objects.

      EXAMPLES
        recordpack schema print CloudKit/schema.ckdb
        recordpack schema print main:CloudKit/schema.ckdb > old.ckdb
        recordpack schema print App.xcdatamodeld > full.ckdb
        recordpack schema print --check CloudKit/*.ckdb
        recordpack schema print --write CloudKit/schema.ckdb
        recordpack schema print schema.ckdb --json | jq '.schema.recordTypes[].name'
      """)

  @Argument(help: "A schema; several with --check or --write.", completion: .file())
  var schemas: [String]

  @Flag(help: "List the schemas that would change, and exit with 1 if there are any.")
  var check = false

  @Flag(help: "Change the files in place.")
  var write = false

  @Flag(help: "Keep the order of types and fields.")
  var keepOrder = false

  @OptionGroup var models: ModelOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    if check, write { throw ValidationError("--check and --write cannot be used together") }
    try refuse(report.givenColor, "to a schema, which has no colours")
    try refuseSecondStandardInput(schemas)
  }

  func run() throws {
    // Not in `validate`, where it would hide that an option is unknown.
    guard schemas.count == 1 || check || write else {
      throw CommandError(
        "several schemas require --check or --write; one is printed to standard output")
    }
    let printer = SchemaPrinter(order: keepOrder ? .asWritten : .canonical)
    // All schemas are read before one is written.
    let documents = try schemas.map { try SchemaInput.whole($0, models) }
    if write {
      for (path, document) in zip(schemas, documents)
      where document.name != path || !FileManager.default.fileExists(atPath: path) {
        throw CommandError("'\(path)' is not a file that can be changed in place")
      }
    }
    for document in documents where document.hasBrokenComment {
      StandardError.write(document.diagnosticText() + "\n")
      throw CommandError("'\(document.name)' has a comment that is not UTF-8 and would be lost")
    }
    let isOdd = zip(schemas, documents).filter { !printer.isPrinted($1) }.map {
      (path: $0.0, document: $0.1)
    }
    let paths = isOdd.map(\.path)
    if check {
      try report.write(
        FileList(
          paths: paths, member: "unprinted", predicate: "is not printed as CloudKit exports it"))
      if !isOdd.isEmpty { throw ExitCode.findings }
    } else if write {
      let files = try isOdd.map { path, document in
        (try FileChange(of: path, from: document.source), printer.print(document.schema))
      }
      try Interruption.whileWriting { for (file, text) in files { try file.replace(with: text) } }
      try report.tell(FileList(paths: paths, member: "written", predicate: "written"))
    } else {
      // Only one is printed.
      let schema = documents[0].schema
      guard report.isJSON else {
        return try StandardOutput.write(StandardOutput.shown(printer.print(schema)))
      }
      let json = (keepOrder ? schema : schema.canonicalized()).json
      try StandardOutput.write([ReportOptions.document("schema", ["schema": json]).visibleText])
    }
  }
}

private struct FileList: CommandReport {
  static let format = "schema.files"
  let paths: [String]
  /// The member of the JSON with the paths.
  let member: String
  /// The text behind each path.
  let predicate: String

  func lines(_ style: TerminalStyle) -> [String] { paths.map { "\($0.visible) \(predicate)" } }

  var json: JSONValue { .object([.init(member, paths.literal)]) }
}

extension CloudSchema {
  /// The schema as a JSON object, in the order of the schema.
  var json: JSONValue {
    let types = recordTypes.map { type -> JSONValue in
      let grants = type.grants.map { grant -> JSONValue in
        ["role": grant.role, "permissions": grant.permissions.keywords]
      }
      return ["name": type.name, "fields": type.fields.map(\.json), "grants": grants]
    }
    return ["roles": roles.map(\.name), "recordTypes": types]
  }
}

extension CloudSchema.Field {
  fileprivate var json: JSONValue {
    [
      "name": name, "type": type.primitive.rawValue, "isList": type.isList,
      "isEncrypted": type.isEncrypted, "indexes": options.keywords,
      "numberPreference": type.numberPreference?.rawValue,
    ]
  }
}
