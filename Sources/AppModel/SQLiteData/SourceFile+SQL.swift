/// The statements of SQL in Swift code: literals, and the calls of GRDB that make tables.
extension SourceFile {
  /// The statement of SQL in a string literal that begins at an index.
  ///
  /// - Returns: nil if it does not change tables.
  func statement(at index: Int) -> SwiftDeclarations.SQLText? {
    // `"CREATE TABLE " + "…"` was read with its first part.
    if isSymbol(index - 1, "+"), self[index - 2]?.kind == .string { return nil }
    guard tokens[index].length >= 12 else { return nil }
    var (text, next) = literal(at: index)
    while isSymbol(next, "+"), self[next + 1]?.kind == .string {
      let part = literal(at: next + 1)
      text += part.text
      next = part.end
    }
    guard Self.isStatement(text) else { return nil }
    return .init(text: text, location: location(of: index))
  }

  /// The value of a literal. An interpolated default value is replaced by a number, as it says nothing
  /// about the table. Another one is replaced by its name between two NUL characters, without a name
  /// if it is computed.
  private func literal(at index: Int) -> (text: String, end: Int) {
    let token = tokens[index]
    if token.isPlain { return (token.text, index + 1) }
    let literal = text(of: index)
    var (result, position, next) = ("", token.offset, index + 1)
    let start = token.offset
    let bytes = Array(literal.utf8)
    func part(_ end: Int) -> String {
      var piece = String(
        decoding: bytes[(position - start)..<max(position, end) - start], as: UTF8.self)
      while piece.hasSuffix("\\") || piece.hasSuffix("#") { piece.removeLast() }
      return piece
    }
    while let open = self[next], open.kind == .openInterpolation, open.offset < start + token.length
    {
      let close = min(matches[next], tokens.count - 1)
      let before = part(open.offset)
      result +=
        before
        + (Self.isDefault(result.suffix(200) + before.suffix(200))
          ? "1" : "\u{0}" + name(interpolated: (next + 1)..<close) + "\u{0}")
      position = tokens[close].offset + 1
      next = after(next)
    }
    return (Self.value(of: result + part(start + token.length)), next)
  }

  /// The name in an interpolation such as `\(raw: Tag.tableName)`; empty for another expression.
  private func name(interpolated range: Range<Int>) -> String {
    let isLabelled = isSymbol(range.lowerBound + 1, ":")
    let start = range.lowerBound + (isLabelled ? 2 : 0)
    guard let path = path(at: start), path.end == range.upperBound, path.names.count < 8 else {
      return ""
    }
    return path.names.joined(separator: ".")
  }

  /// Whether a text is SQL that changes tables, and not a sentence such as "Create table".
  private static func isStatement(_ text: String) -> Bool {
    let start = text.prefix(4_000)
    let word = start.drop { !$0.isLetter }.prefix(while: \.isLetter)
    guard start.contains("--") || word == word.uppercased() || word == word.lowercased() else {
      return false
    }
    return SQLTables.statements(in: String(start)).contains { statement in
      guard SQLTables.changesTables(statement) else { return false }
      let words = statement.split(whereSeparator: \.isWhitespace)
      return statement.contains("(") || words.count == 3
        || words.count < 12
          && words.dropFirst(3).contains {
            ["ADD", "RENAME", "DROP", "EXISTS"].contains($0.uppercased())
          }
    }
  }

  /// Whether SQL ends where a default value stands, or inside of a check.
  private static func isDefault(_ text: some StringProtocol) -> Bool {
    let words = text.uppercased()
    let last = words.split { $0.isWhitespace || $0 == "(" || $0 == "'" }.last
    if last == "DEFAULT" { return true }
    guard let check = words.ranges(of: "CHECK").last else { return false }
    let rest = words[check.upperBound...]
    return rest.count { $0 == "(" } > rest.count { $0 == ")" }
  }

  /// The value of a literal, without its delimiters and with its escapes resolved.
  private static func value(of literal: String) -> String {
    var text = Substring(literal)
    while text.first == "#" { text = text.dropFirst() }
    while text.last == "#" { text = text.dropLast() }
    let quotes = text.hasPrefix("\"\"\"") ? 3 : 1
    if text.first == "\"" { text = text.dropFirst(quotes) }
    if text.last == "\"" { text = text.dropLast(quotes) }
    guard text.contains("\\") else { return String(text) }
    var result = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        result.append(character == "n" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return result
  }
}
