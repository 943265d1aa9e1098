import ArgumentParser
import RecordArchive
import RecordSchema

struct SchemaDiffCommand: ParsableCommand {
  enum Mode: String, ExpressibleByArgument, CaseIterable {
    case deploy, drift

    var kind: SchemaCheckKind { self == .deploy ? .deploy : .drift }
  }

  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Check whether a schema can be deployed to production, or is deployed.",
    discussion: """
      FROM is the schema of production. With --mode deploy, TO is the schema to
      deploy: reports what CloudKit would reject, what breaks apps in use, and what
      becomes permanent. With --mode drift, TO is the schema that the app needs:
      reports what production lacks.

      TO may be the model of an app whose records a library writes: an .xcdatamodeld,
      or Swift code with @Model or @Table. Then the mode is drift: what production
      lacks is reported at its place in the model, and what Core Data rejects at
      launch. With --mode deploy, the model's fields are added to production's.

      With --format html, the report is a page with a diagram, in which what changes
      has a colour, and with both schemas, type by type. It needs no other file.

      With --records, also checks stored records against TO, and subscriptions
      against production, and reports those that would be rejected, with examples.

      A comment in TO allows a known finding, and so does the configuration:
        // recordpack:allow FIELD_REMOVED(Todo.order) was never shipped

      EXAMPLES
        recordpack schema diff main:CloudKit/schema.ckdb CloudKit/schema.ckdb
        recordpack schema diff production.ckdb CloudKit/schema.ckdb --mode drift
        recordpack schema diff production.ckdb App/Models
        recordpack schema diff production.ckdb Tact.sqlite --records Tact.recordpack
        recordpack schema diff main:s.ckdb s.ckdb --format github --fail-on warning
        recordpack schema diff production.ckdb schema.ckdb --format html > diff.html
      """)

  @Argument(help: "The schema of production.", completion: .file())
  var from: String

  @Argument(help: "The schema to deploy, or that the app needs.", completion: .file())
  var to: String

  @Option(
    help: ArgumentHelp(
      "The check: deploy or drift. (default: deploy; drift if TO is a model)", valueName: "mode"))
  var mode: Mode?

  @Option(
    help: ArgumentHelp(
      "A bundle or container with records and subscriptions to check.",
      valueName: "source"), completion: .file())
  var records: String?

  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var report: SchemaReportOptions

  func validate() throws {
    try refuseSecondStandardInput([from, to, records])
    if records == nil {
      try refuse(
        [("--threads", threads.threads != nil), ("--quiet", progress.quiet)], "without --records")
    }
  }

  func run() throws {
    let configuration = try report.configuration()
    let before = try SchemaInput.valid(from, report.format, models)
    before.tellNotes()
    let after = try SchemaInput.valid(to, report.format, models)
    let census = try records.map { path in
      let bar = progress.bar("reading")
      return try Inputs.source(path).census(
        named: path, threads: threads.count, progress: { try bar.update($0) })
    }
    let found = try SchemaChecker(configuration: configuration).compare(
      from: before, to: after, kind: (mode ?? (after.model == nil ? .deploy : .drift)).kind,
      records: census)
    try report.tell(
      found, configuration,
      ReportedSchemas(from: before, to: after, records: records, isQuiet: progress.quiet))
  }
}
