import ArgumentParser
import MockCloud
import RecordArchive
import RecordCoding
import RecordModel
import RecordSchema
import RecordStore
import RecordText

struct SchemaDeployCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deploy",
    abstract: "Deploy a schema to a production container.",
    discussion: """
      Makes the schema of SOURCE that of DESTINATION, a container whose environment
      is production. SOURCE is a development container, or a schema as in
      'recordpack schema diff'. Records are not copied.

      Reports what 'recordpack schema diff DESTINATION SOURCE' reports. With findings
      of at least --fail-on, nothing is deployed. CloudKit rejects a schema without a
      deployed type or field, or with another type of it; neither a comment nor the
      configuration allows that.

      EXAMPLES
        recordpack schema deploy Tact.sqlite Production.sqlite --create --dry-run
        recordpack schema deploy Tact.sqlite Production.sqlite --create
        recordpack schema deploy Tact.sqlite Production.sqlite --json
        recordpack schema deploy CloudKit/schema.ckdb Staging.sqlite --create
        recordpack schema deploy CloudKit/schema.ckdb Staging.sqlite --fail-on warning
      """)

  @Argument(help: "The development container, or the schema.", completion: .file())
  var source: String

  @Argument(help: "The production container.", completion: .file())
  var destination: String

  @Flag(help: "Create the production container, which must not exist.")
  var create = false

  @Flag(help: "Report what would be deployed, and deploy nothing.")
  var dryRun = false

  @OptionGroup var report: SchemaReportOptions

  init() {}

  func validate() throws {
    guard destination != "-" else {
      throw ValidationError("a container cannot be standard output; name a file")
    }
  }

  func run() throws {
    let configuration = try report.configuration()
    let schema = try SchemaInput.valid(source, report.format)
    guard schema.model == nil else {
      throw CommandError(
        "'\(source)' is a model, which lacks the other types of production; add the types that "
          + "'recordpack schema print \(source.shellWord)' prints to a schema, and deploy that")
    }
    let outcome = try outcome(of: schema, sourceInfo(), configuration)
    try outcome.tell(report, configuration, in: destination, dryRun: dryRun, created: create)
    if !outcome.isAccepted { throw ExitCode.findings }
  }

  /// Returns the metadata of the source; nil if it is only a schema.
  ///
  /// - Throws: `CommandError` if it is from production.
  private func sourceInfo() throws -> ContainerInfo? {
    guard source != "-", !Inputs.isPipe(source),
      let info = try? ArchiveSource.open([source]).info()
    else { return nil }
    guard info.environment != .production else {
      throw CommandError(
        "'\(source)' is from production; a schema is deployed from development, or from a file")
    }
    return info
  }

  private func outcome(
    of schema: SchemaDocument, _ source: ContainerInfo?, _ configuration: SchemaConfiguration
  ) throws -> DeploymentOutcome {
    func judge(_ info: ContainerInfo) throws -> DeploymentOutcome {
      let deployment = try SchemaDeployment(
        schema, to: info, version: source?.schemaVersion, named: destination,
        configuration: configuration)
      let before =
        info.schemaDocument(of: destination)
        ?? SchemaDocument(CloudSchema(recordTypes: [.builtInUsers]), name: destination)
      return DeploymentOutcome(
        deployment, ReportedSchemas(from: before, to: schema),
        failOn: report.failOn(configuration))
    }
    // Both environments of a container have its identifier.
    let new =
      create ? ContainerInfo(identifier: source?.identifier, environment: .production) : nil
    if dryRun, new == nil {
      return try ValidationOptions.telling { try judge(Inputs.container(destination).info()) }
    }
    do {
      return try ContainerChanges.run(in: destination, creating: new, dryRun: dryRun) {
        let outcome = try judge($0.info())
        // Thrown, so that a new container is not created.
        guard outcome.isAccepted else { throw outcome }
        try $0.deploy(outcome.deployment)
        return outcome
      }
    } catch let refused as DeploymentOutcome {
      return refused
    }
  }
}

/// A checked deployment, and whether it is done.
private struct DeploymentOutcome: Error {
  let deployment: SchemaDeployment
  /// Whether neither CloudKit nor `--fail-on` rejects it.
  let isAccepted: Bool
  /// The schemas that a page shows beside the findings.
  private let schemas: ReportedSchemas

  init(_ deployment: SchemaDeployment, _ schemas: ReportedSchemas, failOn: SchemaSeverity) {
    self.deployment = deployment
    self.schemas = schemas
    isAccepted = deployment.refusals.isEmpty && !deployment.report.fails(at: failOn)
  }

  /// Writes the report and what was done: in text below it, in JSON around it, with other formats on
  /// standard error.
  func tell(
    _ options: SchemaReportOptions, _ configuration: SchemaConfiguration, in container: String,
    dryRun: Bool, created: Bool
  ) throws {
    let text = try options.text(of: deployment.report, configuration, schemas)
    let lines = summary(container, dryRun: dryRun).map(\.visible)
    if options.format == .json {
      let document = ReportOptions.document(
        "schema-deploy",
        [
          "container": container, "created": created && isDone(dryRun), "dryRun": dryRun,
          "accepted": isAccepted, "deployed": isDone(dryRun),
          "refusals": deployment.refusals.map(Self.name), "report": try JSONParser.parse(text),
        ])
      try ReportOptions.tellDone([document.visibleText])
    } else if options.isText {
      try ReportOptions.tellDone([Self.trimmed(text), ""] + lines)
    } else {
      try ReportOptions.tellDone([Self.trimmed(text)])
      for line in lines { StandardError.write("recordpack: note: \(line)\n") }
    }
  }

  private func isDone(_ dryRun: Bool) -> Bool { isAccepted && !dryRun }

  private func summary(_ container: String, dryRun: Bool) -> [String] {
    guard isAccepted else {
      var lines: [String] = []
      if !deployment.refusals.isEmpty {
        lines.append(
          "CloudKit rejects " + deployment.refusals.map(Self.name).joined(separator: ", "))
      }
      return lines + ["not deployed: '\(container)' is unchanged"]
    }
    if deployment.changes.isEmpty { return ["nothing to deploy: '\(container)' has this schema"] }
    let changes = Numbers.count(deployment.changes.changes.count, "change")
    return ["\(changes) \(dryRun ? "would be " : "")deployed to '\(container)'"]
  }

  private static func name(_ finding: SchemaFinding) -> String {
    "\(finding.rule)(\(finding.subject))"
  }

  private static func trimmed(_ text: String) -> String {
    text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
