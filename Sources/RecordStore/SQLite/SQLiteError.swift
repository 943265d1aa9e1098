/// An error that SQLite reports.
struct SQLiteError: Error, CustomStringConvertible {
  /// The extended result code.
  let code: Int32
  /// The error of the operating system, for a file that cannot be opened.
  var systemError: Int32?
  let message: String

  /// The result code without what the extended one adds.
  var primaryCode: Int32 { code & 0xFF }

  var description: String { "SQLite reports error \(code): \(message)" }
}
