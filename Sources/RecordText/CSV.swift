import RecordModel

/// Lines of comma-separated values, as in RFC 4180.
package enum CSV {
  /// A line without its end, CR LF.
  ///
  /// - Parameter cells: The texts; nil for a missing value, which has no quotation marks, so that it
  ///   differs from an empty text.
  package static func line(_ cells: [String?]) -> String {
    cells.map { $0.map(cell) ?? "" }.joined(separator: ",")
  }

  private static func cell(_ text: String) -> String {
    let needsQuotes =
      text.isEmpty || text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
      || text.utf8.first == 0x20 || text.utf8.last == 0x20
    return needsQuotes ? "\"" + text.replacingLiterally("\"", with: "\"\"") + "\"" : text
  }

  /// The text, with an apostrophe before it if a spreadsheet would read it as a formula.
  ///
  /// Source: <https://owasp.org/www-community/attacks/CSV_Injection>.
  package static func withoutFormula(_ text: String) -> String {
    guard let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) else { return text }
    return "'" + text
  }
}

extension RecordValue {
  /// Whether a spreadsheet would read the value as text, or as a formula.
  package var isText: Bool {
    switch self {
    case .int64, .double, .timestamp, .location: false
    default: true
    }
  }
}
