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
}
