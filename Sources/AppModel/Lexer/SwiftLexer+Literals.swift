extension SwiftLexer {
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// Begins a string literal at its first `#` or quotation mark.
  mutating func openString(pounds: Int) {
    let start = position
    position += pounds
    var isMultiline = isAt("\"\"\"")
    if isMultiline, pounds > 0, closesOnLine(pounds) { isMultiline = false }
    position += isMultiline ? 3 : 1
    add(.string, from: start, "")
    tokens[tokens.count - 1].isPlain = true
    contexts.append(
      .string(token: tokens.count - 1, pounds: pounds, isMultiline: isMultiline))
  }

  /// Whether a raw string that begins with `#"""` ends in the same line, as `#"""#` does, which is
  /// a quotation mark in a raw string.
  private func closesOnLine(_ pounds: Int) -> Bool {
    var index = position + 1
    while index < bytes.count, !Self.isNewline(bytes[index]) {
      if bytes[index] == Self.quote, hasPounds(pounds, after: index + 1) { return true }
      index += 1
    }
    return false
  }

  private func hasPounds(_ pounds: Int, after index: Int) -> Bool {
    guard index + pounds <= bytes.count else { return false }
    return bytes[index..<(index + pounds)].allSatisfy { $0 == UInt8(ascii: "#") }
  }

  /// Reads a string literal up to its end or its next interpolation.
  mutating func readString(token: Int, pounds: Int, isMultiline: Bool) {
    while position < bytes.count {
      let current = bytes[position]
      if current == Self.quote, endsString(pounds, isMultiline) {
        position += (isMultiline ? 3 : 1) + pounds
        return closeString(token, pounds, isMultiline)
      }
      if current == Self.backslash, hasPounds(pounds, after: position + 1) {
        position += 1 + pounds
        if byte() == UInt8(ascii: "("), position < bytes.count {
          tokens[token].isPlain = false
          position += 1
          contexts.append(.interpolation(depth: 0))
          return add(.openInterpolation, from: position - 1, "(")
        }
        // The escaped character, but not a line break, which ends a string of one line.
        if position < bytes.count, !Self.isNewline(bytes[position]) { position += 1 }
        continue
      }
      if !isMultiline, Self.isNewline(current) {
        tokens[token].isPlain = false
        return closeString(token, pounds, isMultiline)
      }
      position += 1
    }
  }

  private func endsString(_ pounds: Int, _ isMultiline: Bool) -> Bool {
    if isMultiline { return isAt("\"\"\"") && hasPounds(pounds, after: position + 3) }
    return hasPounds(pounds, after: position + 1)
  }

  private mutating func closeString(_ token: Int, _ pounds: Int, _ isMultiline: Bool) {
    contexts.removeLast()
    let start = tokens[token].offset
    tokens[token].length = position - start
    guard tokens[token].isPlain else { return }
    let quotes = isMultiline ? 3 : 1
    let content = bytes[(start + pounds + quotes)..<(position - pounds - quotes)]
    if let value = StringLiteralValue.read(content, pounds: pounds, isMultiline: isMultiline) {
      tokens[token].text = value
    } else {
      tokens[token].isPlain = false
    }
  }

  /// The maximum length of a regex literal in one line, so that a line of slashes takes linear
  /// time.
  private static let maxRegex = 2000

  /// Skips a regex literal between slashes, if there is one at the position.
  ///
  /// It stands where an expression begins, does not begin with a space, and ends in the same line,
  /// before a closing parenthesis of the code around it.
  mutating func skipRegex() -> Bool {
    if let last = tokens.last, last.endsOperand { return false }
    let first = byte(1)
    if first == 0x20 || first == 0x09 || first == UInt8(ascii: "/") || first == UInt8(ascii: "*") {
      return false
    }
    var end = position + 1
    var parentheses = 0
    var isInClass = false
    while end < min(bytes.count, position + Self.maxRegex), !Self.isNewline(bytes[end]) {
      switch bytes[end] {
      case UInt8(ascii: "\\"): end += 1
      case UInt8(ascii: "/"):
        // A literal that ends with a space would be an operator between two operands.
        if bytes[end - 1] == 0x20, bytes[end - 2] != UInt8(ascii: "\\") { return false }
        position = end + 1
        return true
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "("): if !isInClass { parentheses += 1 }
      case UInt8(ascii: ")") where !isInClass:
        parentheses -= 1
        if parentheses < 0 { return false }
      default: break
      }
      end += 1
    }
    return false
  }

  /// Skips a regex literal between `#/` and `/#`, if there is one at the position. One that begins
  /// with a line break can have several lines.
  mutating func skipExtendedRegex(pounds: Int) -> Bool {
    var end = position + pounds + 1
    var first = end
    while first < bytes.count, bytes[first] == 0x20 || bytes[first] == 0x09 { first += 1 }
    let isMultiline = first < bytes.count && Self.isNewline(bytes[first])
    if isMultiline, unclosedRegexes.contains(pounds) { return false }
    while end < bytes.count {
      if !isMultiline, Self.isNewline(bytes[end]) || end > position + Self.maxRegex {
        return false
      }
      if bytes[end] == UInt8(ascii: "\\") {
        end += 2
        continue
      }
      if bytes[end] == UInt8(ascii: "/"), end + pounds < bytes.count,
        bytes[(end + 1)...(end + pounds)].allSatisfy({ $0 == UInt8(ascii: "#") })
      {
        position = end + 1 + pounds
        return true
      }
      end += 1
    }
    unclosedRegexes.insert(pounds)
    return false
  }
}

/// Reads the value of a string literal without interpolations.
enum StringLiteralValue {
  /// - Parameters:
  ///   - content: The text between the delimiters.
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
