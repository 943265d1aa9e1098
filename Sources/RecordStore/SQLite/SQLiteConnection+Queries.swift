extension SQLiteConnection {
  /// Runs a statement without rows, and caches it.
  func run(_ sql: String, _ values: [any ColumnValue] = []) throws {
    try bound(sql, values).run()
  }

  /// Runs a statement that sets a row: its last value is the checksum of the others.
  func runHashed(_ sql: String, _ values: [any ColumnValue]) throws {
    try run(sql, values + [RowHash.column(of: values)])
  }

  /// Returns what `read` returns for the first row of a query; nil if there is no row.
  ///
  /// SQLite converts the columns, so values of other types do not crash the process.
  func first<T>(
    _ sql: String, _ values: [any ColumnValue] = [], _ read: (SQLiteStatement) throws -> T
  ) throws -> T? {
    let row = try bound(sql, values)
    defer { row.reset() }
    return try row.step() ? read(row) : nil
  }

  /// Returns the number in the first row of a query; nil if there is no row, or NULL.
  func integer(_ sql: String, _ values: [any ColumnValue] = []) throws -> Int64? {
    try first(sql, values) { $0.isNull(0) ? nil : $0.int64(0) } ?? nil
  }

  /// Returns the text in the first row of a query; nil if there is no row, or NULL.
  func text(_ sql: String, _ values: [any ColumnValue] = []) throws -> String? {
    try first(sql, values) { $0.isNull(0) ? nil : $0.string(0) } ?? nil
  }

  /// Calls `body` with each row of a query.
  func forEachRow(
    _ sql: String, _ values: [any ColumnValue] = [], _ body: (SQLiteStatement) throws -> Void
  ) throws {
    let rows = try bind(values, to: .make(sql, in: self))
    defer { rows.reset() }
    while try rows.step() { try body(rows) }
  }

  /// Returns what `read` returns for each row of a query.
  func all<T>(
    _ sql: String, _ values: [any ColumnValue] = [], _ read: (SQLiteStatement) throws -> T
  ) throws -> [T] {
    var found: [T] = []
    try forEachRow(sql, values) { found.append(try read($0)) }
    return found
  }

  private func bound(_ sql: String, _ values: [any ColumnValue]) throws -> SQLiteStatement {
    try bind(values, to: .cached(sql, in: self))
  }

  private func bind(
    _ values: [any ColumnValue], to statement: SQLiteStatement
  ) throws -> SQLiteStatement {
    for (index, value) in values.enumerated() {
      try value.bind(to: statement, at: Int32(index + 1))
    }
    return statement
  }
}
