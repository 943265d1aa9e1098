import ArgumentParser
import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordSchema

struct SchemaInferCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "infer",
    abstract: "Makes a schema out of records.",
    discussion: """
      The schema is what the development server would have made of the records just
      in time. What they do not tell (empty lists, mixed types, numbers) stands in
      comments, and on standard error.

      SOURCE is a bundle or container; with --from web-services, cktool or canopy,
      files with responses as 'recordpack import' takes them, directories, or -.

      EXAMPLES
        recordpack schema infer Tact.recordpack > inferred.ckdb
        recordpack schema infer Tact.sqlite --indexes none --output plain.ckdb
        recordpack schema infer --from web-services responses/
        recordpack schema infer --from cktool books.json --database public
        recordpack schema infer --from canopy mocks.json
      """)

  @Argument(help: "Where the records are.", completion: .file())
  var sources: [String]

  @Option(help: ArgumentHelp("What the sources are.", valueName: "form"))
  var from: RecordForm = .bundle

  @Option(
    help: ArgumentHelp(
      "Indexes: jit (those that the development server makes) or none.", valueName: "which"))
  var indexes: SchemaInference.Indexes = .jit

  @Option(
    name: [.short, .long], help: ArgumentHelp("The file to write.", valueName: "file"),
    completion: .file())
  var output = "-"

  @Flag(name: [.short, .long], help: "Replace the file where it exists.")
  var force = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions

  func validate() throws {
    try refuseSecondStandardInput(sources)
    if force, output == "-" {
      throw ValidationError("--force goes with --output: standard output replaces nothing")
    }
    guard from != .bundle else { return }
    if threads.threads != nil {
      throw ValidationError("--threads goes with bundles and containers")
    }
    if selection.database.count > 1 {
      throw ValidationError("responses come from one database; --database names it once")
    }
  }

  func run() throws {
    if output != "-", FileManager.default.fileExists(atPath: output), !force {
      throw Failure("'\(output)' exists already; --force replaces it")
    }
    try refuseInputs()
    var errors: [String] = []
    let census = try census { errors.append($0) }
    ProgressBar.clearLine()
    let inferred = SchemaInference(indexes: indexes).infer(from: census)
    try write(SchemaPrinter().print(inferred.schema))
    if !progress.quiet {
      for remark in inferred.remarks where remark.subject != SchemaSubject() {
        StandardError.write("recordpack: note: \(remark.description.visible)\n")
      }
    }
    try refuseErrors(errors)
  }

  /// Warns of records that the server did not send, and the schema does not know.
  private func refuseErrors(_ errors: [String]) throws {
    guard let first = errors.first else { return }
    ErrorReport.warn(
      "\(Numbers.count(errors.count, "error")) among the responses, which hold no record: \(first)")
    throw ExitCode.findings
  }

  private func census(noteError: (String) -> Void) throws -> RecordCensus {
    let name = sources.joined(separator: ", ")
    if let dialect = from.dialect {
      return try Archiver.ResponseSource.census(
        of: sources.flatMap { try Archiver.ResponseSource.sources(at: $0, dialect: dialect) },
        database: selection.database.first ?? .private, named: name, selection.filter,
        requiresSelected: true, noteError: noteError)
    }
    var census = RecordCensus(source: name)
    let bar = progress.bar("reading")
    for path in sources {
      let source = try Inputs.source(path)
      try census.add(
        source.census(
          named: path, try selection.filter(in: [source]), threads: threads.count,
          progress: { try bar.update($0) }))
    }
    return census
  }

  /// Refuses to write over what is read.
  private func refuseInputs() throws {
    let inputs =
      from == .bundle
      ? sources : try sources.flatMap { try Archiver.ResponseSource.sources(at: $0) }.map(\.name)
    try Inputs.refuseOverwriting(sources + inputs, by: [.init(path: output)])
  }

  private func write(_ text: String) throws {
    guard output != "-" else {
      let output = StandardOutput()
      try output.write(StandardOutput.shown(text))
      return try output.flush()
    }
    try TextFile.write(text, to: output, mustNotExist: !force)
  }
}
