import ArgumentParser
import RecordArchive
import RecordModel
import RecordSchema

struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Validate all records against a schema, as the production server would.",
    discussion: """
      Reports unknown record types and fields, values of other types than in the
      schema, values wrongly encrypted or unencrypted, and subscriptions that
      production would reject: grouped and counted, with examples and the server's
      error. The default schema is that of the bundle or container.

      With --environment development, adds what is missing to the schema instead,
      and reports it. Exits with 1 if records do not match the schema.

      EXAMPLES
        recordpack validate Tact.recordpack --schema CloudKit/schema.ckdb
        recordpack validate Tact.sqlite --schema main:CloudKit/schema.ckdb
        recordpack validate Tact.recordpack --environment development
        recordpack validate Tact.recordpack --json | jq .summary
      """)

  @Argument(help: "A bundle or container.", completion: .file())
  var source: String

  @Option(
    help: ArgumentHelp(
      "The schema: a file, -, a git revision (main:schema.ckdb), a bundle or container. "
        + "(default: the schema of the source)", valueName: "schema"), completion: .file())
  var schema: String?

  @Option(
    help: ArgumentHelp(
      "production rejects what the schema lacks; development adds it.",
      valueName: "name"))
  var environment: ContainerInfo.Environment = .production

  @Option(help: ArgumentHelp("The number of records to name in each finding.", valueName: "n"))
  var examples = RecordCensus.defaultExamples

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var report: SchemaReportOptions

  func validate() throws {
    guard 1...1000 ~= examples else {
      throw ValidationError("--examples must be from 1 to 1000, not \(examples)")
    }
    try refuseSecondStandardInput([source, schema])
  }

  func run() throws {
    let configuration = try report.configuration()
    let given = try schema.map { try SchemaInput.whole($0, models, report.format) }
    let source = try Inputs.source(source)
    let validation = Archiver.Validation(
      schema: given, environment: environment, configuration: configuration)
    let embedded = given == nil ? try source.info().schemaDocument(of: self.source) : nil
    if given == nil, let embedded, embedded.hasErrors {
      try SchemaInput.refuse(embedded, report.format)
    }
    if given == nil, embedded == nil, environment == .production {
      throw ArchiveError.noSchema(source: self.source)
    }
    let bar = progress.bar("validating")
    let census = try source.census(
      named: self.source, try selection.filter(in: [source]), maxExamples: examples,
      threads: threads.count, progress: { try bar.update($0) })
    try report.tell(
      validation.validate(census, embedded: embedded), configuration,
      ReportedSchemas(to: given ?? embedded))
    if census.recordCount == 0, census.subscriptions.isEmpty {
      ErrorReport.warn("'\(self.source)' has no records to check, so nothing was checked")
      throw ExitCode.findings
    }
  }
}
