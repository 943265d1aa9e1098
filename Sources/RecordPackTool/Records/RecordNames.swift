import RecordText

/// Names of records in a text, one a line.
enum RecordNames {
  /// Returns the names. A line ends with a line feed, or a carriage return and a line feed; all
  /// other characters are part of a name.
  ///
  /// - Throws: `CommandError` for a text that is not UTF-8, or too large.
  static func lines(in bytes: [UInt8]) throws -> [String] {
    guard bytes.count <= RecordInput.maxSize else {
      throw CommandError(
        "standard input is larger than \(Numbers.size(RecordInput.maxSize)); split the names")
    }
    return try bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let name = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard !name.isEmpty else { return nil }
      guard let text = String(validating: name, as: UTF8.self) else {
        throw CommandError("standard input is not UTF-8; expected names of records, one a line")
      }
      return text
    }
  }
}
