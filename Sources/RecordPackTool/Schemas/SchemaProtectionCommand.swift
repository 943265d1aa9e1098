import ArgumentParser
import RecordArchive
import RecordSchema

struct SchemaProtectionCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, markdown
  }

  static let configuration = CommandConfiguration(
    commandName: "protection",
    abstract: "Tell which fields could be end-to-end encrypted.",
    discussion: """
      Under Advanced Data Protection, encrypted values and assets are end-to-end
      encrypted in the private and the shared database. Plain values, references,
      system fields and the names of records and zones never are, and nothing in the
      public database is. Records below a share with a public permission are not
      any more.

      It only applies if all participants have it turned on, which no app can know:
      could be means no more than that.

      EXAMPLES
        recordpack schema protection production.ckdb
        recordpack schema protection Tact.sqlite --json
        recordpack schema protection production.ckdb --format markdown
      """)

  @Argument(help: "A schema.", completion: .file())
  var schema: String

  @Option(
    help: ArgumentHelp(
      "The output format: text or markdown. (default: text)", valueName: "format"))
  var format: Format?

  @Flag(help: "Write the output as JSON.")
  var json = false

  func validate() throws {
    try refuse([("--format", format != nil)], when: json, "with --json")
  }

  func run() throws {
    let report = ProtectionReport(try SchemaInput.valid(schema, .text))
    try ReportOptions.write(
      json ? [report.json.visibleText] : format == .markdown ? report.markdown : report.text)
  }
}
