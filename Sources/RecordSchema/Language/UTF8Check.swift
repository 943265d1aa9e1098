/// Finds invalid UTF-8.
package enum UTF8Check {
  /// Returns the location of the first byte that does not begin a valid character.
  package static func firstBrokenSpan(in bytes: [UInt8]) -> SourceSpan? {
    firstBrokenByte(in: bytes, from: 0).map { place(of: $0, in: bytes, behind: .start) }
  }

  /// Returns the offset of the first byte that does not begin a valid character, starting from a
  /// character boundary.
  static func firstBrokenByte(in bytes: [UInt8], from start: Int) -> Int? {
    // Most text is valid. What follows a first error is not checked as a whole again.
    if start == 0, String(validating: bytes, as: UTF8.self) != nil { return nil }
    var rest = bytes[start...].makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var offset = start
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let character): offset += character.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }

  /// Returns the location of a byte, given the location where the enclosing text starts.
  static func place(of offset: Int, in bytes: [UInt8], behind start: SourceSpan) -> SourceSpan {
    var (line, column) = (start.line, start.column)
    for index in start.offset..<offset {
      let byte = bytes[index]
      // In `\r\n`, the second byte ends the line.
      if byte == 0x0A || byte == 0x0D && bytes[index + 1] != 0x0A {
        (line, column) = (line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return SourceSpan(offset: offset, length: 1, line: line, column: column)
  }
}
