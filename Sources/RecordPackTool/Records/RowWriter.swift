import RecordCoding
import RecordText

/// Writes rows as a table, as CSV or as JSON Lines.
struct RowWriter {
  enum Form { case table, csv, json }

  private let form: Form
  private let output: StandardOutput
  private let style: TerminalStyle
  private var table: StreamedTable?
  private var count = 0

  init(_ form: Form, _ titles: [String], _ style: TerminalStyle, _ output: StandardOutput) {
    (self.form, self.output, self.style) = (form, output, style)
    switch form {
    case .json: break
    case .csv: first = CSV.line(titles)
    case .table:
      table = StreamedTable(titles, style, terminalWidth: StandardOutput.terminalWidth) {
        [output] in try output.line($0)
      }
    }
  }

  /// The line of titles of CSV, until it is written.
  private var first: String?

  /// Adds a row: its cells, or a line of CSV or JSON.
  mutating func add(_ row: [String]) throws {
    count += 1
    try begin()
    switch form {
    case .json: try output.line(row[0])
    case .csv: try output.write(StandardOutput.shown(row[0]) + "\r\n")
    case .table: try table?.add(row)
    }
  }

  /// Adds a row of cells that CSV and JSON write as they are.
  mutating func add(_ cells: [String], json: () -> JSONValue) throws {
    switch form {
    case .json: try add([json().visibleText])
    case .csv: try add([CSV.line(cells)])
    case .table: try add(cells)
    }
  }

  /// Adds a row of CSV: texts, which a spreadsheet must not read as formulas, and numbers.
  mutating func add(texts cells: [String?]) throws {
    try add([CSV.line(cells.map { $0.map(CSV.withoutFormula) })])
  }

  private mutating func begin() throws {
    guard let titles = first else { return }
    first = nil
    try output.write(StandardOutput.shown(titles) + "\r\n")
  }

  /// Writes what is left. Must be called at the end.
  ///
  /// - Parameter total: The number of rows without a limit; nil if it is not known. On a terminal, a
  ///   table says how many of them it has.
  mutating func finish(total: Int?) throws {
    try begin()
    try table?.finish()
    guard form == .table, StandardOutput.isTerminal, let total, total > count else { return }
    try output.line(
      style.paint("\(Numbers.grouped(count)) of \(Numbers.grouped(total))", .dim))
  }
}
