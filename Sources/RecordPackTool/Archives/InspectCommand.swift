import ArgumentParser
import RecordArchive
import RecordBundle
import RecordCoding

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show the metadata, record counts and sizes of a bundle or container.",
    discussion: """
      For a bundle of any size, reads only the header and the index; verify checks
      the rest.

      EXAMPLES
        recordpack inspect Tact.recordpack
        recordpack inspect Tact.sqlite --json
        recordpack inspect Tact.recordpack --schema > Tact.ckdb
      """)

  @Argument(help: "A bundle or container; - is standard input.", completion: .file())
  var source: String

  @Flag(help: "Print only the schema, in CloudKit's schema language.")
  var schema = false

  @OptionGroup var report: ReportOptions

  func validate() throws {
    guard schema else { return }
    try refuse(
      [
        ("--json", report.isJSON),
        ("--color", report.color == .always),
      ],
      "with --schema, which prints the schema unchanged")
  }

  func run() throws {
    let opened = try Inputs.source(source)
    let output = StandardOutput()
    if schema {
      guard let text = try opened.info().schema else {
        throw CommandError("'\(source)' has no schema")
      }
      let shown = StandardOutput.shown(text)
      try output.write(shown.hasSuffix("\n") ? shown : shown + "\n")
    } else {
      let inspection = Inspection(path: source, source: opened, summary: try opened.summary())
      if report.isJSON {
        try output.line(inspection.json.visibleText)
      } else {
        for line in inspection.lines(report.style) { try output.line(line) }
      }
    }
    try output.flush()
  }
}
