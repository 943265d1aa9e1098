import ArgumentParser
import RecordArchive
import RecordCoding
import RecordModel
import RecordPages
import RecordSchema

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write a report on a bundle or container, as one page to send to others.",
    discussion: """
      The page is one file without scripts, and shows in any browser: sizes by type
      and zone, records over time, the fields of each type, the largest records,
      assets, shares, subscriptions, deletions, users, and the schema. The same
      source gives the same page.

      A report has no value of any field. Zones, users and records have numbers in
      place of their names, which may be personal; with --names, the report has them,
      and the name of the file. It always has the container's identifier, the schema,
      and the names of record types and fields.

      EXAMPLES
        recordpack report Tact.recordpack -o report.html
        recordpack report Tact.sqlite -o names.html --names --zone 'Chat*'
        recordpack report Tact.recordpack --json | jq .types
      """)

  @Argument(help: "A bundle or container; - is standard input.", completion: .file())
  var source: String

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The file to write; - is standard output, the default for JSON.", valueName: "file"),
    completion: .file(extensions: ["html", "json"]))
  var output: String?

  @Flag(name: [.short, .long], help: "Replace an existing file.")
  var force = false

  @Flag(help: "Show the names of zones, users and records, and of the file.")
  var names = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions

  @Flag(name: .customLong("json"), help: "Write the numbers as JSON, in place of the page.")
  var isJSON = false

  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions

  init() {}

  func validate() throws {
    guard output != nil || isJSON else {
      throw ValidationError("name the file to write with -o; -o - is standard output")
    }
    if output ?? "-" == "-" { try refuse([("--force", force)], "to standard output") }
  }

  func run() throws {
    let output = output ?? "-"
    if output != "-" { try TextFile.refuseExisting(output, overwrite: force) }
    let source = try Inputs.source(source)
    try Inputs.refuseOverwriting([self.source], by: [.init(path: output)])
    let bar = progress.bar("counting")
    let filter = try selection.filter(in: [source], bar)
    let profile = try source.profile(filter, threads: threads.count) { try bar.update($0) }
    let diagram = isJSON ? nil : try diagram(of: profile, in: source, filter)
    ProgressBar.clearLine()
    let report = ArchiveReport(profile, showsNames: names, diagram: diagram)
    let text =
      isJSON
      ? ReportOptions.document("report", report.members).visibleText + "\n"
      : report.page.html.text
    if output == "-" {
      let standard = StandardOutput()
      try standard.write(text)
      try standard.flush()
    } else {
      try TextFile.write(text, to: output, overwrite: force)
    }
  }

  /// Above so many records, what refers to what is guessed by names: counting takes memory for each.
  private static let maxScanned = 1_000_000

  private func diagram(
    of profile: ArchiveProfile, in source: ArchiveSource, _ filter: RecordFilter
  ) throws -> HTML? {
    guard let text = profile.info.schema else { return nil }
    let schema = SchemaDocument(parsing: text).schema
    let records =
      profile.records <= Self.maxScanned
      ? try SchemaReferences(scanning: source, progress.bar("reading"), filter) : nil
    return SchemaDiagram(schema, references: SchemaReferences(of: schema, records: records)).figure
  }
}
