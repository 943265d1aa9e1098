import ArgumentParser
import Foundation
import RecordSchema

struct SchemaPrintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "print",
    abstract: "Writes a schema as CloudKit exports it.",
    discussion: """
      The text is byte for byte that of CloudKit's export, and comments stay with
      what they stand above. With --check nothing is written: files that would
      change are named, and the exit code is 1. With --write files are changed in
      place.

      EXAMPLES
        recordpack schema print CloudKit/schema.ckdb
        recordpack schema print main:CloudKit/schema.ckdb > old.ckdb
        recordpack schema print --check CloudKit/*.ckdb
        recordpack schema print --write CloudKit/schema.ckdb
      """)

  @Argument(help: "Schemas; several with --check or --write.", completion: .file())
  var schemas: [String]

  @Flag(help: "Write nothing; exit with 1 where a schema is not printed like this.")
  var check = false

  @Flag(help: "Change the files in place.")
  var write = false

  @Flag(help: "Keep the order of types and fields.")
  var keepOrder = false

  func validate() throws {
    if check, write { throw ValidationError("--check and --write exclude each other") }
    if schemas.count > 1, !check, !write {
      throw ValidationError("several schemas can be checked or written in place only")
    }
  }

  func run() throws {
    let printer = SchemaPrinter(order: keepOrder ? .asWritten : .canonical)
    let output = StandardOutput()
    var isClean = true
    // All are read before one is written.
    let documents = try schemas.map { try SchemaInput.valid($0, .text) }
    for (path, document) in zip(schemas, documents) {
      if check {
        if printer.isPrinted(document) { continue }
        isClean = false
        try output.line("\(path.visible) is not printed as CloudKit exports it")
      } else if write {
        guard document.name == path, FileManager.default.fileExists(atPath: path) else {
          throw Failure("'\(path)' is no file of its own that could be written")
        }
        guard !printer.isPrinted(document) else { continue }
        try Interruption.whileWriting {
          try Data(printer.print(document.schema).utf8)
            .write(to: URL(fileURLWithPath: path).resolvingSymlinksInPath(), options: .atomic)
        }
        try output.line("\(path.visible) written")
      } else {
        try output.write(printer.print(document.schema))
      }
    }
    try output.flush()
    if !isClean { throw ExitCode.findings }
  }
}
