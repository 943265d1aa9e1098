/// Reads the value of a string literal without interpolations.
enum StringLiteralValue {
  /// - Parameters:
  ///   - content: What stands between the delimiters.
  ///   - pounds: The number of `#` in the delimiters, and after the backslash of an escape.
  /// - Returns: The value, or `nil` if the literal is malformed.
  static func read(_ content: ArraySlice<UInt8>, pounds: Int, isMultiline: Bool) -> String? {
    let text: ArraySlice<UInt8>
    if isMultiline {
      guard let lines = unindented(content) else { return nil }
      text = lines[...]
    } else {
      text = content
    }
    guard let unescaped = unescaped(text, pounds: pounds) else { return nil }
    return String(validating: unescaped, as: UTF8.self)
  }

  /// Removes the first line break, the last one with what follows it, and the indentation of the
  /// closing delimiter from each line. Line breaks become `\n`.
  private static func unindented(_ content: ArraySlice<UInt8>) -> [UInt8]? {
    var lines: [ArraySlice<UInt8>] = []
    var start = content.startIndex
    var index = start
    while index < content.endIndex {
      guard SwiftLexer.isNewline(content[index]) else {
        index += 1
        continue
      }
      lines.append(content[start..<index])
      let isPair =
        content[index] == 0x0D && index + 1 < content.endIndex && content[index + 1] == 0x0A
      index += isPair ? 2 : 1
      start = index
    }
    let indentation = content[start...]
    guard !lines.isEmpty, isBlank(lines[0]), isBlank(indentation) else { return nil }
    var result: [UInt8] = []
    for (number, line) in lines.dropFirst().enumerated() {
      if number > 0 { result.append(0x0A) }
      if line.starts(with: indentation) {
        result += line.dropFirst(indentation.count)
      } else if !isBlank(line) {
        return nil
      }
    }
    return result
  }

  private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
    line.allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  private static func unescaped(_ text: ArraySlice<UInt8>, pounds: Int) -> [UInt8]? {
    guard text.contains(UInt8(ascii: "\\")) else { return Array(text) }
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      let isEscape =
        byte == UInt8(ascii: "\\") && rest.count >= pounds
        && rest.prefix(pounds).allSatisfy { $0 == UInt8(ascii: "#") }
      guard isEscape else {
        result.append(byte)
        continue
      }
      rest = rest.dropFirst(pounds)
      guard let escaped = escape(&rest) else { return nil }
      result += escaped
    }
    return result
  }

  /// Returns the bytes of an escape, after its backslash.
  private static func escape(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard let byte = rest.popFirst() else { return nil }
    switch byte {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "0"): return [0x00]
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): return [byte]
    case UInt8(ascii: "u"): return scalar(&rest)
    case 0x0A: return []
    case 0x20, 0x09:
      // The line goes on after a backslash with spaces behind it.
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
      return rest.popFirst() == 0x0A ? [] : nil
    default: return nil
    }
  }

  private static func scalar(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.popFirst() == UInt8(ascii: "{") else { return nil }
    let digits = rest.prefix { $0 != UInt8(ascii: "}") }
    rest = rest.dropFirst(digits.count + 1)
    guard (1...8).contains(digits.count),
      let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(number)
    else { return nil }
    return Array(String(Character(scalar)).utf8)
  }
}
