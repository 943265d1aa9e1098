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
      place of their names, which may be personal; with --show-names, the report has
      them, and the name of the file. It always has the container's identifier, the
      schema, and the names of record types and fields.

      EXAMPLES
        recordpack report Tact.recordpack -o report.html
        recordpack report Tact.sqlite -o names.html --show-names --zone 'Chat*'
        recordpack report Tact.recordpack --json | jq .types
      """)

  @Argument(help: "A bundle or container; - is standard input.", completion: .file())
  var source: String

  @OptionGroup var output: OutputOptions

  @Flag(help: "Show the names of zones, users and records, and of the file.")
  var showNames = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions

  @Flag(name: .customLong("json"), help: "Write the numbers as JSON, in place of the page.")
  var isJSON = false

  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions

  init() {}

  func run() throws {
    try output.check(inputs: [source])
    if output.output == nil, !isJSON { try Inputs.refuseTerminal("-") }
    let damage = DamagedRows()
    let source = try damage.source(source)
    let bar = progress.bar("counting")
    let filter = try selection.filter(in: [source], bar)
    let profile = try source.profile(filter, threads: threads.count) { try bar.update($0) }
    let diagram = isJSON ? nil : try diagram(of: profile, in: source, filter)
    ProgressBar.clearLine()
    let report = ArchiveReport(profile, showsNames: showNames, diagram: diagram)
    try output.write(
      isJSON
        ? ReportOptions.document("report", report.json).visibleText + "\n"
        : report.page.html.text)
    try damage.finish()
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
