import GRDB

extension Database {
  /// Runs one statement that gives no rows; the next time it need not be prepared.
  func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// The first row of a query; the next time it need not be prepared.
  func row(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Row? {
    try Row.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
  }

  /// The first value of a query; nil where there is no row.
  func value<T: DatabaseValueConvertible>(
    as type: T.Type, _ sql: String, _ arguments: StatementArguments = StatementArguments()
  ) throws -> T? {
    try T.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
  }
}
