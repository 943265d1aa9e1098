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

      With --top, shows the largest record types, zones and records instead of the
      table; to find the largest records, all are read. With --by records, shows the
      types and zones with the most records.

      EXAMPLES
        recordpack inspect Tact.recordpack
        recordpack inspect Tact.sqlite --format json
        recordpack inspect Tact.recordpack --schema > Tact.ckdb
        recordpack inspect Tact.sqlite --top 5
        recordpack inspect Tact.sqlite --top 3 --by records
      """)

  @Argument(help: "A bundle or container; - is standard input.", completion: .file())
  var source: String

  @Flag(help: "Print only the schema, in CloudKit's schema language.")
  var schema = false

  @Option(
    help: ArgumentHelp(
      "Show this many of the largest record types, zones and records, 1 to 1000.",
      valueName: "n"))
  var top: Int?

  @Option(
    help: ArgumentHelp(
      "With --top: order by bytes, or by the number of records. (default: bytes)",
      valueName: "order"))
  var by: LargestParts.Order?

  @OptionGroup var report: ReportOptions
  @OptionGroup var pager: PagerOptions

  func validate() throws {
    if let top, !(1...1000).contains(top) {
      throw ValidationError("--top must be from 1 to 1000, not \(top)")
    }
    try refuse([("--by", by != nil)], when: top == nil, "without --top")
    guard schema else { return }
    try refuse(
      [
        ("--top", top != nil),
        ("--format", report.format != nil), ("--json", report.json),
        ("--color", report.color == .always),
      ],
      "with --schema, which prints the schema unchanged")
  }

  func run() throws {
    try Pager.run(pager) { try write() }
  }

  private func write() throws {
    let opened = try Inputs.source(source)
    let output = StandardOutput()
    if schema {
      guard let text = try opened.info().schema else {
        throw Failure("'\(source)' has no schema")
      }
      let shown = StandardOutput.shown(text)
      try output.write(shown.hasSuffix("\n") ? shown : shown + "\n")
    } else {
      var inspection = Inspection(path: source, source: opened, summary: try opened.summary())
      if let top {
        let order = by ?? .bytes
        let bar = ProgressBar("measuring", besideOutput: false)
        inspection.largest = LargestParts(
          inspection.summary, count: top, by: order,
          records: order == .bytes
            ? try opened.largestRecords(top) { try bar?.update($0) } : nil)
        ProgressBar.clearLine()
      }
      if report.isJSON {
        try output.line(inspection.json.visibleText)
      } else {
        for line in inspection.lines(report.style) { try output.line(line) }
      }
    }
    try output.flush()
  }
}

extension LargestParts.Order: ExpressibleByArgument {}
