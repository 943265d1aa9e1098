import GRDB

extension Database {
  /// Runs one statement that gives no rows; the next time it need not be prepared.
  func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// What `read` makes of the first row of a query; nil where there is none.
  ///
  /// The columns are read as SQLite converts them: a file whose rows hold values of other types than
  /// they should must not end the process.
  func first<T>(
    _ sql: String, _ arguments: StatementArguments, _ read: (RawStatement) throws -> T
  ) throws -> T? {
    let statement = try cachedStatement(sql: sql)
    try statement.setArguments(arguments)
    let row = RawStatement(statement)
    defer { row.reset() }
    return try row.step() ? read(row) : nil
  }

  /// The first value of a query; nil where there is no row.
  func value<T: DatabaseValueConvertible>(
    as type: T.Type, _ sql: String, _ arguments: StatementArguments = StatementArguments()
  ) throws -> T? {
    try T.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
  }
}
