import Foundation

/// A value that a column can hold. Text is kept whole, whatever characters are in it: GRDB hands
/// SQLite a C string, which ends at the first NUL.
protocol ColumnValue {
  func bind(to statement: RawStatement, at index: Int32) throws
}

extension Int: ColumnValue {
  func bind(to statement: RawStatement, at index: Int32) { statement.bind(index, Int64(self)) }
}

extension Int64: ColumnValue {
  func bind(to statement: RawStatement, at index: Int32) { statement.bind(index, self) }
}

extension Bool: ColumnValue {
  func bind(to statement: RawStatement, at index: Int32) { statement.bind(index, self ? 1 : 0) }
}

extension String: ColumnValue {
  func bind(to statement: RawStatement, at index: Int32) throws {
    try statement.bind(index, self)
  }
}

extension Data: ColumnValue {
  func bind(to statement: RawStatement, at index: Int32) throws {
    try withUnsafeBytes { try statement.bindCopy(index, blob: $0) }
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  func bind(to statement: RawStatement, at index: Int32) throws {
    guard let self else { return statement.bindNull(index) }
    try self.bind(to: statement, at: index)
  }
}
