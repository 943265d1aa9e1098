import RecordModel

/// The rows of a table that SQLite can read, although pages of the file are damaged.
///
/// SQLite ends a query at the first page that it cannot read. So the rows after that page are read from
/// the end, and the rows between two such pages by their numbers.
struct ReadableRows {
  private let db: SQLiteConnection
  private let table: String
  private let columns: String

  /// - Parameter columns: the columns to read.
  init(_ table: String, _ columns: String, in db: SQLiteConnection) {
    (self.db, self.table, self.columns) = (db, table, columns)
  }

  /// Calls `body` with the rows of a table that has no numbers of rows.
  ///
  /// - Parameter key: the columns of the primary key.
  /// - Returns: whether all rows were read.
  @discardableResult
  func forEach(by key: [String], _ body: (SQLiteStatement) throws -> Void) throws -> Bool {
    for order in ["ASC", "DESC"] {
      let order = key.map { "\($0) \(order)" }.joined(separator: ", ")
      if try scan("ORDER BY \(order)", [], body) { return order.hasSuffix("ASC") }
    }
    return false
  }

  /// Calls `body` with the rows of a table that has numbers of rows.
  ///
  /// - Parameters:
  ///   - last: a number that no row exceeds, where it is known. The rows between damaged pages are looked
  ///     for up to there.
  ///   - body: gets the columns, and the number of the row after them.
  /// - Returns: whether all rows were read.
  @discardableResult
  func forEachNumbered(
    upTo last: Int64? = nil, _ body: (SQLiteStatement) throws -> Void
  ) throws -> Bool {
    var search = Search(bound: last)
    try read(from: .min, to: .max, &search, body)
    return search.isComplete
  }

  /// The search for rows between damaged pages. Each step takes two looks at the table.
  private struct Search {
    let bound: Int64?
    var steps = 500_000
    var isComplete = true
  }

  private func read(
    from first: Int64, to last: Int64, _ search: inout Search,
    _ body: (SQLiteStatement) throws -> Void
  ) throws {
    var (first, last) = (first, last)
    for order in ["ASC", "DESC"] where first <= last {
      let isComplete = try scan(
        "WHERE rowid BETWEEN ? AND ? ORDER BY rowid \(order)", [first, last]
      ) { row in
        let number = row.int64(row.columnCount - 1)
        if order == "ASC" {
          first = max(first, number.addingReportingOverflow(1).partialValue)
        } else {
          last = min(last, number.subtractingReportingOverflow(1).partialValue)
        }
        try body(row)
      }
      if isComplete { return }
      search.isComplete = false
    }
    // SQLite numbers rows from 1 on.
    first = max(first, 1)
    last = min(last, search.bound ?? first.addingReportingOverflow(10_000).partialValue)
    guard first < last, search.steps > 0 else { return }
    search.steps -= 1
    let middle = first + (last - first) / 2
    try read(from: first, to: middle, &search, body)
    try read(from: middle + 1, to: last, &search, body)
  }

  /// - Returns: whether no damaged page ended the query.
  private func scan(
    _ clauses: String, _ values: [any ColumnValue], _ body: (SQLiteStatement) throws -> Void
  ) throws -> Bool {
    let number = values.isEmpty ? "" : ", rowid"
    let rows = try SQLiteStatement.make(
      "SELECT \(columns)\(number) FROM \(table) NOT INDEXED \(clauses)", in: db)
    defer { rows.reset() }
    for (index, value) in values.enumerated() { try value.bind(to: rows, at: Int32(index + 1)) }
    while let hasRow = try db.readable(rows.step) {
      guard hasRow else { return true }
      try body(rows)
    }
    return false
  }
}

extension SQLiteConnection {
  /// Returns what `body` returns; nil if it meets a page that SQLite cannot read.
  func readable<T>(_ body: () throws -> T) throws -> T? {
    do {
      return try body()
    } catch let error as SQLiteError where error.isDamage {
      return nil
    }
  }

  /// Calls `body`, and returns whether it meets no page that SQLite cannot read.
  func canRead(_ body: () throws -> Void) throws -> Bool {
    try readable {
      try body()
      return true
    } ?? false
  }
}
