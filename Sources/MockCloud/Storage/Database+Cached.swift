import GRDB

extension Database {
  /// Runs one statement that gives no rows; the next time it need not be prepared.
  func run(_ sql: String, _ values: [any ColumnValue] = []) throws {
    try bound(sql, values).run()
  }

  /// Runs a statement that fills a row: its last value is the checksum of the others.
  func runHashed(_ sql: String, _ values: [any ColumnValue]) throws {
    try run(sql, values + [RowHash.column(of: values)])
  }

  /// What `read` makes of the first row of a query; nil where there is none.
  ///
  /// The columns are read as SQLite converts them: a file whose rows hold values of other types than
  /// they should must not end the process.
  func first<T>(
    _ sql: String, _ values: [any ColumnValue] = [], _ read: (RawStatement) throws -> T
  ) throws -> T? {
    let row = try bound(sql, values)
    defer { row.reset() }
    return try row.step() ? read(row) : nil
  }

  /// The number in the first row of a query; nil where there is no row, or NULL in it.
  func integer(_ sql: String, _ values: [any ColumnValue] = []) throws -> Int64? {
    try first(sql, values) { $0.isNull(0) ? nil : $0.int64(0) } ?? nil
  }

  /// The text in the first row of a query; nil where there is no row, or NULL in it.
  func text(_ sql: String, _ values: [any ColumnValue] = []) throws -> String? {
    try first(sql, values) { $0.isNull(0) ? nil : $0.string(0) } ?? nil
  }

  private func bound(_ sql: String, _ values: [any ColumnValue]) throws -> RawStatement {
    let statement = try RawStatement.cached(sql, in: self)
    for (index, value) in values.enumerated() {
      try value.bind(to: statement, at: Int32(index + 1))
    }
    return statement
  }
}
