import ArgumentParser
import RecordText

/// Options for the output of a command whose rows people take to a spreadsheet.
struct TableOptions: ParsableArguments {
  enum Format: String, CaseIterable, ExpressibleByArgument { case text, csv }

  @Option(
    help: ArgumentHelp("The form of the rows: text or csv. (default: text)", valueName: "format"))
  var format: Format?

  @OptionGroup var report: ReportOptions

  init() {}

  func validate() throws {
    try refuse(
      [("--json", report.isJSON)] + report.givenColor, when: isCSV, "with --format csv")
    try refuse([("--format", format != nil)], when: report.isJSON, "with --json")
  }

  var isCSV: Bool { format == .csv }

  /// The form of rows that are written one by one.
  var form: RowWriter.Form { isCSV ? .csv : report.isJSON ? .json : .table }

  /// Writes a report that is the result of the command.
  func write(_ report: some TableReport) throws {
    guard isCSV else { return try self.report.write(report) }
    let output = StandardOutput()
    var rows = RowWriter(.csv, type(of: report).titles, self.report.style, output)
    for row in report.rows { try rows.add(texts: row) }
    try rows.finish(total: nil)
    try output.flush()
  }
}

/// A report with a table.
protocol TableReport: CommandReport {
  /// The titles of the columns.
  static var titles: [String] { get }
  /// The texts and numbers of each row; nil for a missing one.
  var rows: [[String?]] { get }
}
