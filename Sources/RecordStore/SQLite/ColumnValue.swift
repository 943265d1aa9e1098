import Foundation

/// A value of a column. Text may contain NUL.
protocol ColumnValue {
  func bind(to statement: SQLiteStatement, at index: Int32) throws
  /// Adds the value to the checksum of its row.
  func add(to hash: inout RowHash)
}

extension Int: ColumnValue {
  func bind(to statement: SQLiteStatement, at index: Int32) { statement.bind(index, Int64(self)) }
  func add(to hash: inout RowHash) { hash.add(Int64(self)) }
}

extension Int64: ColumnValue {
  func bind(to statement: SQLiteStatement, at index: Int32) { statement.bind(index, self) }
  func add(to hash: inout RowHash) { hash.add(self) }
}

extension String: ColumnValue {
  func bind(to statement: SQLiteStatement, at index: Int32) throws {
    try statement.bind(index, self)
  }

  func add(to hash: inout RowHash) {
    var text = self
    text.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
  }
}

extension Data: ColumnValue {
  func bind(to statement: SQLiteStatement, at index: Int32) throws {
    try withUnsafeBytes { try statement.bindBlob(index, $0, isCopied: true) }
  }

  func add(to hash: inout RowHash) { withUnsafeBytes { hash.add($0) } }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  func bind(to statement: SQLiteStatement, at index: Int32) throws {
    guard let self else { return statement.bindNull(index) }
    try self.bind(to: statement, at: index)
  }

  func add(to hash: inout RowHash) {
    guard let self else { return hash.addNull() }
    self.add(to: &hash)
  }
}
