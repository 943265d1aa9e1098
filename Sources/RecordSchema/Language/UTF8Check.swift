/// Finds invalid UTF-8.
enum UTF8Check {
  /// Returns the offset of the first byte that does not begin a valid character, starting from a
  /// character boundary.
  static func firstBrokenByte(in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var index = start
      while index < bytes.count {
        if bytes[index] < 0x80 {
          index += 1
          continue
        }
        let length = characterLength(bytes, at: index)
        if length == 0 { return index }
        index += length
      }
      return nil
    }
  }

  /// Returns the location of a byte, given the location where the enclosing text starts.
  static func place(
    of offset: Int, in bytes: [UInt8], behind start: SourceSpan
  ) -> SourceSpan {
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

  /// Returns the length in bytes of the non-ASCII character at an index, or 0 if it is invalid (RFC
  /// 3629).
  private static func characterLength(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> Int {
    let second: ClosedRange<UInt8>
    let length: Int
    switch bytes[index] {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return 0 }
    for next in (index + 2)..<(index + length) where bytes[next] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
