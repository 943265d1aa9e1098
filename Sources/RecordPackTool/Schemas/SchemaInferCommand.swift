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
      the records. Comments, and notes on standard error, show where records leave
      the type open (empty lists, mixed types, numbers). With --json, standard output
      is an object with the schema, its text and the notes.

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

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    try refuse(report.givenColor, "to a schema, which has no colours")
    try refuseSecondStandardInput(sources)
    try from.check(selection, threads)
  }

  func run() throws {
    try output.check(inputs: sources)
    let opened = try from.open(sources, selection) { try $0.map(Inputs.source) }
    let census = try census(of: opened)
    ProgressBar.clearLine()
    let inferred = SchemaInference(indexes: indexes).infer(from: census)
    let notes = inferred.notes.filter { $0.subject != SchemaSubject() }
    let text = SchemaPrinter().print(inferred.schema)
    try output.write(text, report) { Self.document(inferred.schema, text, notes) }
    if !report.isJSON, !progress.quiet {
      for note in notes {
        StandardError.write("recordpack: note: \(note.description.visible)\n")
      }
    }
    // The records of the responses with errors are missing from the schema.
    guard case .responses(let responses) = opened.first, let first = responses.errors.first else {
      return
    }
    ErrorReport.warn(
      "\(Numbers.count(responses.errors.count, "error")) instead of records in the responses: "
        + first)
    throw ExitCode.findings
  }

  private func census(of sources: [ArchiveSource]) throws -> RecordCensus {
    let name = self.sources.joined(separator: ", ")
    var census = RecordCensus(source: name)
    let bar = progress.bar("reading")
    let filter = try selection.filter(in: sources, bar)
    for (index, source) in sources.enumerated() {
      try census.add(
        source.census(
          named: from == .bundle ? self.sources[index] : name, filter, threads: threads.count,
          progress: { try bar.update($0) }))
    }
    return census
  }

  private static func document(
    _ schema: CloudSchema, _ text: String, _ notes: [InferenceNote]
  ) -> JSONValue {
    let notes = notes.map { note -> JSONValue in
      ["subject": note.subject.description, "message": note.text]
    }
    return ReportOptions.document(
      "schema", ["schema": schema.json, "text": text, "notes": notes])
  }
}
