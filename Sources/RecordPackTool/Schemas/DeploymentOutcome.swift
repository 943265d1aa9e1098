import MockCloud
import RecordCoding
import RecordSchema
import RecordText

/// A judged deployment, and whether it is done.
struct DeploymentOutcome: Error {
  let deployment: SchemaDeployment
  /// Whether neither CloudKit nor `--fail-on` refuses it.
  let isAccepted: Bool
  /// What a page shows beside the findings.
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
        "deploy",
        [
          .init("container", .string(container)),
          .init("created", .bool(created && isDone(dryRun))),
          .init("dryRun", .bool(dryRun)), .init("accepted", .bool(isAccepted)),
          .init("deployed", .bool(isDone(dryRun))),
          .init("refusals", .array(deployment.refusals.map { .string(Self.name($0)) })),
          .init("report", try JSONParser.parse(text)),
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
          "CloudKit refuses " + deployment.refusals.map(Self.name).joined(separator: ", "))
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
