import ArgumentParser
import RecordSchema

struct SchemaProtectionCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, markdown
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
      "The output format: text, json or markdown. (default: text)", valueName: "format"))
  var format: Format?

  @Flag(help: "The same as --format json.")
  var json = false

  @Flag(help: VerboseOption.help) var verbose = false

  func validate() throws {
    if verbose { Verbose.turnOn() }
    try refuseOtherFormat(format, json: json)
  }

  func run() throws {
    let document = try SchemaInput.valid(schema, .text)
    let report = ProtectionReport(document)
    let output = StandardOutput()
    switch json ? .json : format ?? .text {
    case .text: for line in report.text { try output.line(line) }
    case .json: try output.line(report.json.visibleText)
    case .markdown: for line in report.markdown { try output.line(line) }
    }
    try output.flush()
  }
}
