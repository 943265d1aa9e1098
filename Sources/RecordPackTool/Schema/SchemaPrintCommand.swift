import ArgumentParser
import Foundation
import RecordSchema

struct SchemaPrintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "print",
    abstract: "Print a schema as CloudKit exports it.",
    discussion: """
      The text equals CloudKit's export byte for byte; comments stay above what
      they describe. With --check, lists the files that would change, and exits
      with 1 if there are any. With --write, changes the files in place, all or
      none; owner and permissions are kept.

      EXAMPLES
        recordpack schema print CloudKit/schema.ckdb
        recordpack schema print main:CloudKit/schema.ckdb > old.ckdb
        recordpack schema print --check CloudKit/*.ckdb
        recordpack schema print --write CloudKit/schema.ckdb
      """)

  @Argument(help: "A schema; several with --check or --write.", completion: .file())
  var schemas: [String]

  @Flag(help: "List the schemas that would change, and exit with 1 if there are any.")
  var check = false

  @Flag(help: "Change the files in place.")
  var write = false

  @Flag(help: "Keep the order of types and fields.")
  var keepOrder = false

  @OptionGroup var verbose: VerboseOption

  func validate() throws {
    if check, write { throw ValidationError("--check and --write cannot be used together") }
    if schemas.count > 1, !check, !write {
      throw ValidationError("several schemas require --check or --write")
    }
    try refuseSecondStandardInput(schemas)
  }

  func run() throws {
    let printer = SchemaPrinter(order: keepOrder ? .asWritten : .canonical)
    // All schemas are read before one is written.
    let documents = try schemas.map { try SchemaInput.valid($0, .text) }
    if write {
      for (path, document) in zip(schemas, documents)
      where document.name != path || !FileManager.default.fileExists(atPath: path) {
        throw Failure("'\(path)' is not a file that can be changed in place")
      }
    }
    for document in documents where document.hasBrokenComment {
      StandardError.write(document.diagnosticText() + "\n")
      throw Failure("'\(document.name)' has a comment that is not UTF-8 and would be lost")
    }
    let isOdd = zip(schemas, documents).filter { !printer.isPrinted($1) }.map {
      (path: $0.0, document: $0.1)
    }
    let output = StandardOutput()
    if check {
      for (path, _) in isOdd {
        try output.line("\(path.visible) is not printed as CloudKit exports it")
      }
    } else if write {
      try writeInPlace(isOdd, printer)
      try ReportOptions.tellDone(isOdd.map { "\($0.path.visible) written" })
    } else {
      for document in documents {
        try output.write(StandardOutput.shown(printer.print(document.schema)))
      }
    }
    try output.flush()
    if check, !isOdd.isEmpty { throw ExitCode.findings }
  }

  private func writeInPlace(
    _ documents: [(path: String, document: SchemaDocument)], _ printer: SchemaPrinter
  ) throws {
    var files = FileReplacements()
    for (path, document) in documents {
      try files.add(path, Array(printer.print(document.schema).utf8), replacing: document.source)
    }
    try Interruption.whileWriting { try files.publish() }
  }
}
