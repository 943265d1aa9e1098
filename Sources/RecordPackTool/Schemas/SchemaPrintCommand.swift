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
      with 1 if there are any. With --write, changes the files in place, all or
      none; owner and permissions are kept. With --json, prints the types,
      fields and grants for programs.

      EXAMPLES
        recordpack schema print CloudKit/schema.ckdb
        recordpack schema print main:CloudKit/schema.ckdb > old.ckdb
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

  @OptionGroup var report: ReportOptions

  func validate() throws {
    if check, write { throw ValidationError("--check and --write cannot be used together") }
    if schemas.count > 1, !check, !write {
      throw ValidationError("several schemas require --check or --write")
    }
    try refuse([("--color", report.color == .always)], "to a schema, which has no colours")
    try refuseSecondStandardInput(schemas)
  }

  func run() throws {
    let printer = SchemaPrinter(order: keepOrder ? .asWritten : .canonical)
    // All schemas are read before one is written.
    let documents = try schemas.map { try SchemaInput.valid($0, .text) }
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
    let output = StandardOutput()
    if check {
      let text = list(isOdd.map(\.path), "unprinted", "is not printed as CloudKit exports it")
      for line in text { try output.line(line) }
    } else if write {
      try writeInPlace(isOdd, printer)
      try ReportOptions.tellDone(list(isOdd.map(\.path), "written", "written"))
    } else if report.isJSON {
      for document in documents {
        let schema = keepOrder ? document.schema : document.schema.canonicalized()
        let json = ReportOptions.document("schema", [.init("schema", schema.json)])
        try output.line(json.visibleText)
      }
    } else {
      for document in documents {
        try output.write(StandardOutput.shown(printer.print(document.schema)))
      }
    }
    try output.flush()
    if check, !isOdd.isEmpty { throw ExitCode.findings }
  }

  /// The lines of output about files: in JSON one document with a list of them.
  private func list(_ paths: [String], _ member: String, _ predicate: String) -> [String] {
    guard report.isJSON else { return paths.map { "\($0.visible) \(predicate)" } }
    let list = JSONValue.array(paths.map(JSONValue.string))
    return [ReportOptions.document("schema.files", [.init(member, list)]).visibleText]
  }

  private func writeInPlace(
    _ documents: [(path: String, document: SchemaDocument)], _ printer: SchemaPrinter
  ) throws {
    var files = FileChanges()
    for (path, document) in documents {
      try files.replace(path, document.source, with: Array(printer.print(document.schema).utf8))
    }
    try Interruption.whileWriting { try files.publish() }
  }
}
