import RecordArchive
import RecordCoding
import RecordModel
import RecordText

/// Writes the records of a query as a table, as CSV or as JSON Lines.
///
/// With `--fields`, rows are texts, which can be sorted without keeping records.
struct QueryOutput {
  typealias Form = RowWriter.Form

  /// A row to sort: a record until the columns are decided, by the first ones in order.
  enum Row {
    case text([String])
    case record(ResultRecord, DatabaseScope)
  }

  /// The number of records that decide the columns, unless `--fields` names them.
  static let sampleSize = 20

  private let form: Form
  /// Whether to write whole records.
  private let isWhole: Bool
  private let disclosure: RecordDisclosure
  /// How tables and CSV show records. JSON has them as they are.
  private let view: ObjectView
  /// Whether the selected records are in several zones, so that a name may be there twice.
  private let zones: Set<ZoneLocation>
  private let style: TerminalStyle
  private let output: StandardOutput
  private let sortColumn: QueryColumn?
  private var sort: RowSort<Row>?
  /// Nil until they are decided.
  private var columns: [QueryColumn]?
  private var sample: [(record: ResultRecord, database: DatabaseScope)] = []
  private var writer: RowWriter?

  /// - Parameters:
  ///   - fields: The chosen columns; nil for the fields that most records have or, in JSON, for
  ///     whole records.
  init(
    _ form: Form, fields: [QueryColumn]?, sortedBy sortColumn: QueryColumn?,
    _ sort: RowSort<Row>?,
    showEncrypted: Bool, _ selection: RecordSelection, _ style: TerminalStyle,
    _ output: StandardOutput
  ) {
    view = selection.view
    zones = selection.zones
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
    if let sortColumn, sort != nil { return try addSorted(record, database, by: sortColumn) }
    guard columns == nil else { return try write(row(of: record, database)) }
    sample.append((record, database))
    if sample.count == Self.sampleSize { try writeSample() }
  }

  /// Writes what is left. Must be called at the end.
  ///
  /// - Parameter total: The number of records without a limit; nil if it is not known.
  mutating func finish(total: Int?) throws {
    var total = total
    if var sort {
      self.sort = nil
      total = sort.count
      for row in try sort.rows() {
        switch row {
        case .text(let row): try write(row)
        case .record(let record, let database): try add(record, database)
        }
      }
    }
    if columns == nil { try writeSample() }
    try begin()
    try writer?.finish(total: total)
  }

  /// Whether rows have nothing but the identity of records.
  var needsOnlyIDs: Bool {
    guard let columns, !isWhole, form == .json || !view.hasObjects else { return false }
    return columns.allSatisfy(\.isIdentity)
  }

  /// Adds a record by its identity, if ``needsOnlyIDs``.
  mutating func add(_ recordID: RecordID, _ type: String, _ database: DatabaseScope) throws {
    if form == .json {
      return try write([RecordLocation(database, recordID).json(type).visibleText])
    }
    let record = ResultRecord(
      systemFields: SystemFields(recordID: recordID, recordType: type), fields: [])
    try write(try cells(of: record, database))
  }

  /// Decides the columns by the first records, and writes these.
  private mutating func writeSample() throws {
    var decided =
      QueryColumn.identity + QueryColumn.places(of: zones)
      + CommonFields.names(in: sample.map { view.shown($0.record, $0.database) }).map {
        QueryColumn(field: $0)
      }
    if let sortColumn, !decided.contains(where: { $0.isSame(as: sortColumn) }) {
      decided.append(sortColumn)
    }
    columns = decided
    let records = sample
    sample = []
    for (record, database) in records { try write(row(of: record, database)) }
  }

  private func row(of record: ResultRecord, _ database: DatabaseScope) throws -> [String] {
    form == .json
      ? [try json(record, database).visibleText]
      : try cells(of: view.shown(record, database), database)
  }

  private mutating func addSorted(
    _ record: ResultRecord, _ database: DatabaseScope, by column: QueryColumn
  ) throws {
    var key: IndexKey?
    if let (value, _) = column.value(in: view.shown(record, database), database) {
      key = IndexKey(value, in: record.recordID.zoneID)
      guard let key, key.kind != .location else {
        throw CommandError(
          "--sort: '\(column.title)' of the record '\(record.recordID)' is of type "
            + "\(value.typeName), which has no order")
      }
    }
    if columns == nil {
      let size =
        record.storage.withCanonicalBytes { $0.count }
        ?? record.allFields.reduce(0) { $0 + $1.value.approximateSize }
      try sort?.add(.record(record, database), size: size, key)
    } else {
      let row = try row(of: record, database)
      try sort?.add(.text(row), size: row.reduce(0) { $0 + $1.utf8.count }, key)
    }
  }

  private func cells(of record: ResultRecord, _ database: DatabaseScope) throws -> [String] {
    let columns = columns ?? []
    let cells = try columns.map { column -> String? in
      guard let (value, isEncrypted) = column.value(in: record, database) else { return nil }
      if isEncrypted, !disclosure.showEncrypted { return FieldText.masked }
      let text = try value.cellText(disclosure, inWords: form == .table)
      return form == .csv && value.isText ? CSV.withoutFormula(text) : text
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

  private mutating func begin() throws {
    guard writer == nil else { return }
    writer = RowWriter(form, (columns ?? []).map(\.title), style, output)
  }

  private mutating func write(_ row: [String]) throws {
    try begin()
    try writer?.add(row)
  }
}
