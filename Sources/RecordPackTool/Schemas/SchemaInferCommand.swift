import ArgumentParser
import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordSchema
import RecordText

struct SchemaInferCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "infer",
    abstract: "Infer a schema from records.",
    discussion: """
      The result is the schema that the development server would have created for
      the records. What they leave open (empty lists, mixed types, numbers) is noted
      in comments, and on standard error. With --json, standard output is an
      object with the schema, its text and the notes.

      A source is a bundle or container; with --from web-services, cktool or canopy,
      a file with responses as 'recordpack import' reads them, a directory, or -.

      EXAMPLES
        recordpack schema infer Tact.recordpack > inferred.ckdb
        recordpack schema infer Tact.sqlite --indexes none --output plain.ckdb
        recordpack schema infer --from web-services responses/
        recordpack schema infer --from cktool books.json --database public
        recordpack schema infer --from canopy mocks.json
        recordpack schema infer Tact.recordpack --json | jq '.notes'
      """)

  @Argument(help: "The sources of the records.", completion: .file())
  var sources: [String]

  @Option(help: ArgumentHelp("The format of the sources.", valueName: "format"))
  var from: RecordFormat = .bundle

  @Option(
    help: ArgumentHelp(
      "Indexes: jit (those that the development server creates) or none.", valueName: "which"))
  var indexes: SchemaInference.Indexes = .jit

  @Option(
    name: [.short, .long], help: ArgumentHelp("The file to write.", valueName: "file"),
    completion: .file())
  var output = "-"

  @Flag(name: [.short, .long], help: "Replace an existing file.")
  var force = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    try refuse([("--color", report.color == .always)], "to a schema, which has no colours")
    try refuseSecondStandardInput(sources)
    if force, output == "-" {
      throw ValidationError("--force requires --output with a file")
    }
    guard from != .bundle else { return }
    if threads.threads != nil {
      throw ValidationError("--threads requires bundles or containers")
    }
    if selection.database.count > 1 {
      throw ValidationError("--database can be given only once: responses have one database")
    }
  }

  func run() throws {
    if output != "-", FileManager.default.fileExists(atPath: output), !force {
      throw CommandError("'\(output)' already exists; use --force to replace it")
    }
    try Inputs.refuseOverwriting(sources, by: [.init(path: output)])
    let (census, errors) = try census()
    ProgressBar.clearLine()
    let inferred = SchemaInference(indexes: indexes).infer(from: census)
    let notes = inferred.notes.filter { $0.subject != SchemaSubject() }
    let text = SchemaPrinter().print(inferred.schema)
    if output != "-" { try TextFile.write(text, to: output, overwrite: force) }
    if report.isJSON {
      try ReportOptions.tellDone([json(inferred.schema, text, notes)])
    } else if output == "-" {
      let output = StandardOutput()
      try output.write(StandardOutput.shown(text))
      try output.flush()
    }
    if !progress.quiet, !report.isJSON {
      for note in notes {
        StandardError.write("recordpack: note: \(note.description.visible)\n")
      }
    }
    try refuseErrors(errors)
  }

  /// Warns of errors among the responses, whose records are missing from the schema.
  private func refuseErrors(_ errors: [String]) throws {
    guard let first = errors.first else { return }
    ErrorReport.warn(
      "\(Numbers.count(errors.count, "error")) instead of records in the responses: \(first)")
    throw ExitCode.findings
  }

  /// - Returns: The census, and the errors of responses.
  private func census() throws -> (RecordCensus, errors: [String]) {
    if let dialect = from.dialect {
      let responses = try Inputs.responses(at: sources, dialect, selection.database)
      let name = sources.joined(separator: ", ")
      let census = try census(of: [(name, .responses(responses))])
      return (census, responses.errors)
    }
    let opened = try Inputs.namingFrom { try sources.map { ($0, try Inputs.source($0)) } }
    return (try census(of: opened), [])
  }

  private func census(of sources: [(name: String, source: ArchiveSource)]) throws -> RecordCensus {
    var census = RecordCensus(source: self.sources.joined(separator: ", "))
    let bar = progress.bar("reading")
    let filter = try selection.filter(in: sources.map(\.source), bar)
    for (name, source) in sources {
      try census.add(
        source.census(
          named: name, filter, threads: threads.count, progress: { try bar.update($0) }))
    }
    return census
  }

  private func json(_ schema: CloudSchema, _ text: String, _ notes: [InferenceNote]) -> String {
    let notes = notes.map { note in
      JSONValue.object([
        .init("subject", .string(note.subject.description)), .init("message", .string(note.text)),
      ])
    }
    return ReportOptions.document(
      "schema",
      [
        .init("schema", schema.json), .init("text", .string(text)),
        .init("notes", .array(notes)),
      ]
    ).visibleText
  }
}
