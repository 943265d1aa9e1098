import ArgumentParser
import RecordArchive
import RecordModel
import RecordSchema

struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Holds all records against a schema, as the production server would.",
    discussion: """
      Told are records of unknown types, values in unknown fields, of other types,
      encrypted where they must not be or plain where they must, and subscriptions
      that production would refuse: grouped, counted, with examples, and with what
      the server would say. The schema in the bundle or container is the default.

      With --environment development the schema grows just in time instead, and
      what would be made is told. Exits with 1 where records do not fit.

      EXAMPLES
        recordpack validate Tact.recordpack --schema CloudKit/schema.ckdb
        recordpack validate Tact.sqlite --schema main:CloudKit/schema.ckdb
        recordpack validate Tact.recordpack --environment development
        recordpack validate Tact.recordpack --format json | jq .summary
      """)

  @Argument(help: "A bundle or container.", completion: .file())
  var source: String

  @Option(
    help: ArgumentHelp(
      "A file, - for standard input, a git revision (main:schema.ckdb), a bundle or container. "
        + "(default: the schema of the source)", valueName: "schema"), completion: .file())
  var schema: String?

  @Option(
    help: ArgumentHelp(
      "production refuses what the schema does not have; development makes it.",
      valueName: "name"))
  var environment: ContainerInfo.Environment = .production

  @Option(help: ArgumentHelp("How many records are named in each finding.", valueName: "n"))
  var examples = RecordCensus.defaultExamples

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: SchemaReportOptions

  func validate() throws {
    guard 1...1000 ~= examples else {
      throw ValidationError("--examples is \(examples); possible are 1 to 1000")
    }
    try refuseSecondStandardInput([source, schema])
  }

  func run() throws {
    let configuration = try report.configuration()
    let given = try schema.map { try SchemaInput.valid($0, report.format) }
    let source = try Inputs.source(source)
    let validation = Archiver.Validation(
      schema: given, environment: environment, configuration: configuration)
    let embedded = given == nil ? try source.info().schemaDocument(of: self.source) : nil
    if given == nil, let embedded, embedded.hasErrors {
      try SchemaInput.refuse(embedded, report.format)
    }
    if given == nil, embedded == nil, environment == .production {
      throw RecordValidationError.noSchema(source: self.source)
    }
    let bar = progress.bar("validating")
    let census = try source.census(
      named: self.source, try selection.filter(in: [source]), mostExamples: examples,
      threads: threads.count, progress: { try bar.update($0) })
    try report.tell(validation.judge(census, embedded: embedded), configuration)
  }
}
