/// A token of SQL.
struct SQLToken: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// A word or a quoted name.
    case name
    case string, number, symbol
  }

  var kind: Kind
  /// The text without quotation marks.
  var text: String
  /// Whether a name was quoted, so that it is no keyword.
  var isQuoted = false

  func isWord(_ word: String) -> Bool {
    kind == .name && !isQuoted && text.uppercased() == word
  }
  func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
}

/// Splits SQL as SQLite reads it into tokens. Any text is accepted.
struct SQLLexer {
  private let bytes: [UInt8]
  private var position = 0

  static func read(_ text: String) -> [SQLToken] {
    var lexer = SQLLexer(bytes: Array(text.utf8))
    var tokens: [SQLToken] = []
    while let token = lexer.next() { tokens.append(token) }
    return tokens
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func byte(_ distance: Int = 0) -> UInt8 {
    position + distance < bytes.count ? bytes[position + distance] : 0
  }

  private mutating func next() -> SQLToken? {
    skipSpace()
    guard position < bytes.count else { return nil }
    let first = bytes[position]
    switch first {
    case UInt8(ascii: "'"): return SQLToken(kind: .string, text: quoted(first))
    case UInt8(ascii: "\""), UInt8(ascii: "`"):
      return SQLToken(kind: .name, text: quoted(first), isQuoted: true)
    case UInt8(ascii: "["):
      return SQLToken(kind: .name, text: quoted(UInt8(ascii: "]")), isQuoted: true)
    case _ where SwiftLexer.isWord(first):
      let start = position
      while position < bytes.count,
        SwiftLexer.isWord(bytes[position])
          || bytes[position] == UInt8(ascii: ".") && isNumber(first)
      {
        position += 1
      }
      let text = String(decoding: bytes[start..<position], as: UTF8.self)
      return SQLToken(kind: isNumber(first) ? .number : .name, text: text)
    default:
      position += 1
      return SQLToken(kind: .symbol, text: String(decoding: [first], as: UTF8.self))
    }
  }

  private func isNumber(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private mutating func skipSpace() {
    while position < bytes.count {
      if bytes[position] <= 0x20 {
        position += 1
      } else if byte() == UInt8(ascii: "-"), byte(1) == UInt8(ascii: "-") {
        while position < bytes.count, !SwiftLexer.isNewline(bytes[position]) { position += 1 }
      } else if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        position += 2
        while position < bytes.count, byte() != UInt8(ascii: "*") || byte(1) != UInt8(ascii: "/") {
          position += 1
        }
        position += 2
      } else {
        return
      }
    }
  }

  /// Reads up to a closing mark; two of them are one in the text.
  private mutating func quoted(_ end: UInt8) -> String {
    var text: [UInt8] = []
    position += 1
    while position < bytes.count {
      if bytes[position] == end {
        guard byte(1) == end, end != UInt8(ascii: "]") else {
          position += 1
          break
        }
        position += 1
      }
      text.append(bytes[position])
      position += 1
    }
    return String(decoding: text, as: UTF8.self)
  }
}
