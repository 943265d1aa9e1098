import ArgumentParser
import RecordArchive
import RecordCoding
import RecordModel
import RecordSchema

/// Options for validating records against a schema.
struct ValidationOptions: ParsableArguments {
  @Flag(
    name: .customLong("validate"),
    help: "Validate the records against a schema; if they do not match it, write nothing.")
  var isAsked = false

  @Option(
    help: ArgumentHelp(
      "The schema for --validate: a file, a git revision, a bundle or container. (default: the one "
        + "that comes with the records)", valueName: "schema"), completion: .file())
  var schema: String?

  @Option(
    help: ArgumentHelp(
      "For --validate: production rejects what the schema lacks; development adds it. (default: "
        + "production)", valueName: "name"))
  var environment: ContainerInfo.Environment?

  init() {}

  func validate() throws {
    try refuse(
      [("--schema", schema != nil), ("--environment", environment != nil)], when: !isAsked,
      "without --validate")
  }

  /// The validation; nil without `--validate`.
  func validation() throws -> Archiver.Validation? {
    isAsked ? try Self.validation(schema: schema, environment: environment) : nil
  }

  /// The validation against a schema; nil for the one at hand.
  static func validation(
    schema: String?, environment: ContainerInfo.Environment?
  ) throws -> Archiver.Validation {
    let configuration = try SchemaReportOptions.configuration(at: nil)
    let failOn = configuration.failOn ?? .error
    return Archiver.Validation(
      schema: try schema.map { try SchemaInput.whole($0) },
      environment: environment ?? .production, configuration: configuration, failOn: failOn,
      report: { tell($0, failOn) })
  }

  /// Writes findings. In JSON, those that end the command are part of its error.
  private static func tell(_ report: SchemaReport, _ failOn: SchemaSeverity) {
    guard !report.findings.isEmpty else { return }
    ProgressBar.clearLine()
    guard ErrorReport.isJSON else { return StandardError.write(report.text(as: .text)) }
    guard !report.fails(at: failOn), let json = try? member(report) else { return }
    ErrorReport.warn("the schema has findings about the records", json)
  }

  private static func member(_ report: SchemaReport) throws -> JSONValue {
    ["report": try JSONParser.parse(report.text(as: .json))]
  }

  /// Runs the work. Ends the command with exit code 1 if validation fails, as its findings are
  /// already written.
  static func telling<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch ArchiveError.validationFailed(let report) {
      ProgressBar.clearLine()
      // The text of the findings is already written; in JSON they are part of the error.
      ErrorReport.report(
        "the records do not match the schema; nothing was written", .findings,
        at: ErrorReport.isJSON ? try member(report) : [:])
      throw ExitCode.findings
    } catch SchemaError.syntax(let document) {
      try SchemaInput.refuse(document, .text)
    }
  }
}

extension ContainerInfo.Environment: ExpressibleByArgument {}
