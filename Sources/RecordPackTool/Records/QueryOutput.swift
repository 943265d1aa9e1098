import RecordArchive
import RecordCoding
import RecordModel
import RecordText

/// Writes the records of a query as a table, as CSV or as JSON Lines.
///
/// Rows are texts, which can be sorted without keeping records.
struct QueryOutput {
  enum Form { case table, csv, json }

  /// The number of records that decide the columns, unless `--fields` names them.
  static let sampleSize = 20

  private let form: Form
  /// Whether to write whole records.
  private let isWhole: Bool
  private let disclosure: RecordDisclosure
  /// How tables and CSV show records. JSON has them as they are.
  private let view: ObjectView
  private let style: TerminalStyle
  private let output: StandardOutput
  private let sortColumn: QueryColumn?
  private var sort: RowSort?
  /// Nil until they are decided.
  private var columns: [QueryColumn]?
  private var sample: [(record: ResultRecord, database: DatabaseScope)] = []
  private var hasBegun = false
  private var table: StreamedTable?

  /// - Parameters:
  ///   - fields: The chosen columns; nil for the fields that most records have or, in JSON, for
  ///     whole records.
  init(
    _ form: Form, fields: [QueryColumn]?, sortedBy sortColumn: QueryColumn?, _ sort: RowSort?,
    showEncrypted: Bool, _ view: ObjectView, _ style: TerminalStyle, _ output: StandardOutput
  ) {
    self.view = view
    self.form = form
    columns = fields ?? (form == .json ? [] : nil)
    isWhole = form == .json && fields == nil
    disclosure = RecordDisclosure(showEncrypted: showEncrypted)
    self.style = style
    self.output = output
    self.sortColumn = sortColumn
    self.sort = sort
  }

  mutating func add(_ record: ResultRecord, _ database: DatabaseScope) throws {
    guard columns == nil else { return try addRow(record, database) }
    sample.append((record, database))
    if sample.count == Self.sampleSize { try decideColumns() }
  }

  /// Writes what is left. Must be called at the end.
  mutating func finish() throws {
    if columns == nil { try decideColumns() }
    try begin()
    if var sort {
      self.sort = nil
      for row in try sort.rows() { try write(row) }
    }
    try table?.finish()
  }

  private mutating func decideColumns() throws {
    columns =
      QueryColumn.identity
      + CommonFields.names(in: sample.map { view.shown($0.record, $0.database) }).map {
        QueryColumn(field: $0)
      }
    let records = sample
    sample = []
    for (record, database) in records { try addRow(record, database) }
  }

  private mutating func addRow(_ record: ResultRecord, _ database: DatabaseScope) throws {
    let shown = view.shown(record, database)
    let row = try form == .json ? [json(record, database).visibleText] : cells(of: shown, database)
    guard sort != nil, let sortColumn else {
      try begin()
      return try write(row)
    }
    var key: RowSortKey?
    if let (value, _) = sortColumn.value(in: shown, database) {
      key = RowSortKey(value)
      guard key != nil else {
        throw CommandError(
          "--sort: '\(sortColumn.title)' of the record '\(record.recordID)' is of type "
            + "\(value.typeName), which has no order")
      }
    }
    try sort?.add(row, key)
  }

  private func cells(of record: ResultRecord, _ database: DatabaseScope) throws -> [String] {
    let columns = columns ?? []
    let cells = try columns.map { column -> String? in
      guard let (value, isEncrypted) = column.value(in: record, database) else { return nil }
      if isEncrypted, !disclosure.showEncrypted { return FieldText.masked }
      return try value.cellText(disclosure, inWords: form == .table)
    }
    return form == .csv ? [CSV.line(cells)] : cells.map { $0 ?? "" }
  }

  /// The whole record as in a bundle, or its identity with the chosen members and fields.
  private func json(_ record: ResultRecord, _ database: DatabaseScope) throws -> JSONValue {
    let line = try disclosure.line(record, database)
    guard !isWhole, let columns else { return line }
    let kept =
      ["database", "zoneID", "recordType", "recordName"] + columns.compactMap { $0.system?.member }
    let names = NameSet(columns.compactMap(\.fieldName))
    var members = (line.members ?? []).filter { kept.contains($0.name) }
    if !names.isEmpty {
      let fields = (line["fields"]?.members ?? []).filter { field in
        names.contains(field.name)
          || view.hasObjects
            && CoreDataNames.attributeName(field.name).map(names.contains) == true
      }
      members.append(.init("fields", .object(fields)))
    }
    return .object(members)
  }

  /// Writes the titles, once.
  private mutating func begin() throws {
    guard !hasBegun else { return }
    hasBegun = true
    let titles = (columns ?? []).map(\.title)
    switch form {
    case .json: break
    case .csv: try output.write(StandardOutput.shown(CSV.line(titles)) + "\r\n")
    case .table:
      table = StreamedTable(titles, style, terminalWidth: StandardOutput.terminalWidth) {
        [output] in try output.line($0)
      }
    }
  }

  private mutating func write(_ row: [String]) throws {
    switch form {
    case .json: try output.line(row[0])
    case .csv: try output.write(StandardOutput.shown(row[0]) + "\r\n")
    case .table: try table?.add(row)
    }
  }
}

/// Lines of comma-separated values, as in RFC 4180.
enum CSV {
  /// A line without its end, CR LF.
  ///
  /// - Parameter cells: The texts; nil for a missing value, which has no quotation marks, so that it
  ///   differs from an empty text.
  static func line(_ cells: [String?]) -> String {
    cells.map { $0.map(cell) ?? "" }.joined(separator: ",")
  }

  private static func cell(_ text: String) -> String {
    let needsQuotes =
      text.isEmpty || text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
      || text.utf8.first == 0x20 || text.utf8.last == 0x20
    return needsQuotes ? "\"" + text.replacingLiterally("\"", with: "\"\"") + "\"" : text
  }
}
