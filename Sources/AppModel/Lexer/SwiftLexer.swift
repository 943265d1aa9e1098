/// Splits Swift source code into tokens.
///
/// Comments nest, interpolations of strings nest in any depth, and all branches of `#if` are read
/// except those of `#if false`.
/// Any bytes are accepted: text that Swift would reject gives some tokens, never an error. Takes
/// time and memory linear in the number of bytes, and does not recurse.
///
/// Regex literals between slashes are recognized as the compiler does it: by what precedes the
/// slash and by a second slash in the line. Unlike the compiler, the lexer does not know the
/// operators.
struct SwiftLexer {
  /// A comment, with its delimiters.
  struct Comment: Sendable, Hashable {
    var offset: Int
    var length: Int
  }

  /// The literal or interpolation around the current position.
  enum Context {
    /// A string literal: the index of its token, the number of `#`, and whether it begins with
    /// `"""`.
    case string(token: Int, pounds: Int, isMultiline: Bool)
    /// An interpolation, with the number of open parentheses in it.
    case interpolation(depth: Int)
  }

  let bytes: [UInt8]
  var position = 0
  var tokens: [SwiftToken] = []
  var comments: [Comment] = []
  var contexts: [Context] = []
  /// The numbers of `#` that close no regex literal in the rest of the file.
  var unclosedRegexes: Set<Int> = []
  private var hasLineBreak = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    if byte(0) == UInt8(ascii: "#"), byte(1) == UInt8(ascii: "!") { skipLine() }
  }

  /// Returns the tokens and comments of a file.
  static func read(_ bytes: [UInt8]) -> (tokens: [SwiftToken], comments: [Comment]) {
    var lexer = SwiftLexer(bytes)
    lexer.readAll()
    return (lexer.tokens, lexer.comments)
  }

  private mutating func readAll() {
    while position < bytes.count {
      if case .string(let token, let pounds, let isMultiline)? = contexts.last {
        readString(token: token, pounds: pounds, isMultiline: isMultiline)
      } else {
        readToken()
      }
    }
    // Strings that the end of the file cuts off.
    for case .string(let token, _, _) in contexts {
      tokens[token].length = bytes.count - tokens[token].offset
      tokens[token].isPlain = false
    }
    removeInactiveCode()
  }

  /// Removes the tokens between `#if false` and the end of its branch.
  private mutating func removeInactiveCode() {
    var depth = 0
    // The depth of the branch that is removed.
    var inactive: Int?
    var active: [SwiftToken] = []
    active.reserveCapacity(tokens.count)
    for (index, token) in tokens.enumerated() {
      switch token.kind == .directive ? token.text : "" {
      case "#if":
        depth += 1
        let isFalse = tokens.dropFirst(index + 1).first?.isName("false") == true
        let isWhole = tokens.dropFirst(index + 2).first?.followsLineBreak ?? true
        if inactive == nil, isFalse, isWhole { inactive = depth }
      case "#else" where inactive == depth, "#elseif" where inactive == depth: inactive = nil
      case "#endif":
        if inactive == depth { inactive = nil }
        depth -= 1
      default: break
      }
      if inactive == nil { active.append(token) }
    }
    tokens = active
  }

  // MARK: - Bytes

  /// The byte at a distance from the position, or 0 after the end.
  func byte(_ distance: Int = 0) -> UInt8 {
    position + distance < bytes.count ? bytes[position + distance] : 0
  }

  func isAt(_ text: StaticString) -> Bool {
    guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy {
      bytes[position + $0] == text.utf8Start[$0]
    }
  }

  static func isNewline(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x80...: true
    default: false
    }
  }

  static func isOperator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "%"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "^"),
      UInt8(ascii: "~"), UInt8(ascii: "?"):
      true
    default: false
    }
  }

  private mutating func skipLine() {
    while position < bytes.count, !Self.isNewline(bytes[position]) { position += 1 }
  }

  // MARK: - Tokens

  mutating func add(_ kind: SwiftToken.Kind, from start: Int, _ text: String) {
    tokens.append(
      SwiftToken(
        kind: kind, offset: start, length: position - start, text: text,
        followsLineBreak: hasLineBreak))
    hasLineBreak = false
  }

  private func text(from start: Int) -> String {
    String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func readToken() {
    let start = position
    let first = bytes[position]
    switch first {
    case 0x0A, 0x0D:
      hasLineBreak = true
      position += 1
    case 0x00...0x20: position += 1
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
      skipLine()
      comments.append(Comment(offset: start, length: position - start))
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): readBlockComment()
    case UInt8(ascii: "\""): openString(pounds: 0)
    case UInt8(ascii: "#"): readPound()
    case UInt8(ascii: "`"): readEscapedName()
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): readOpen(first)
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): readClose(first)
    case 0x30...0x39: readNumber()
    case _ where Self.isWord(first):
      while Self.isWord(byte()), position < bytes.count { position += 1 }
      add(.name, from: start, text(from: start))
    case UInt8(ascii: "/") where skipRegex(): add(.regex, from: start, "")
    case _ where Self.isOperator(first): readOperator()
    default:
      position += 1
      add(.symbol, from: start, text(from: start))
    }
  }

  private mutating func readBlockComment() {
    let start = position
    var depth = 0
    repeat {
      if isAt("/*") {
        (depth, position) = (depth + 1, position + 2)
      } else if isAt("*/") {
        (depth, position) = (depth - 1, position + 2)
      } else {
        if Self.isNewline(bytes[position]) { hasLineBreak = true }
        position += 1
      }
    } while depth > 0 && position < bytes.count
    comments.append(Comment(offset: start, length: position - start))
  }

  /// Reads what begins with `#`: a raw string, an extended regex, or a directive.
  private mutating func readPound() {
    let start = position
    var pounds = 0
    while byte(pounds) == UInt8(ascii: "#") { pounds += 1 }
    if byte(pounds) == UInt8(ascii: "\"") { return openString(pounds: pounds) }
    if byte(pounds) == UInt8(ascii: "/"), skipExtendedRegex(pounds: pounds) {
      return add(.regex, from: start, "")
    }
    position += pounds
    while Self.isWord(byte()), position < bytes.count { position += 1 }
    add(.directive, from: start, text(from: start))
  }

  private mutating func readOpen(_ bracket: UInt8) {
    if bracket == UInt8(ascii: "("), case .interpolation(let depth)? = contexts.last {
      contexts[contexts.count - 1] = .interpolation(depth: depth + 1)
    }
    position += 1
    add(.open, from: position - 1, String(UnicodeScalar(bracket)))
  }

  private mutating func readClose(_ bracket: UInt8) {
    position += 1
    if bracket == UInt8(ascii: ")"), case .interpolation(let depth)? = contexts.last {
      guard depth > 0 else {
        contexts.removeLast()
        return add(.closeInterpolation, from: position - 1, ")")
      }
      contexts[contexts.count - 1] = .interpolation(depth: depth - 1)
    }
    add(.close, from: position - 1, String(UnicodeScalar(bracket)))
  }

  private mutating func readOperator() {
    let start = position
    let isBound = tokens.last.map { $0.offset + $0.length == start && $0.endsOperand } ?? false
    let first = byte()
    // A postfix mark or a generic bracket is a token of its own.
    let standsAlone: [UInt8] = [0x21, 0x3F, 0x3C, 0x3E]
    position += 1
    if isBound, standsAlone.contains(first), byte() != UInt8(ascii: "=") || first == 0x3F {
      if first != 0x3F || byte() != UInt8(ascii: "?") {
        return add(.symbol, from: start, text(from: start))
      }
    }
    while position < bytes.count, Self.isOperator(bytes[position]), !isAt("//"), !isAt("/*") {
      position += 1
    }
    add(.symbol, from: start, text(from: start))
  }

  mutating func readEscapedName() {
    let start = position
    var end = position + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "`"), !Self.isNewline(bytes[end]) {
      end += 1
    }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "`") else {
      position += 1
      return add(.symbol, from: start, "`")
    }
    position = end + 1
    add(.name, from: start, String(decoding: bytes[(start + 1)..<end], as: UTF8.self))
  }

  /// Reads a number. A point belongs to it only before a digit: `1.description` is a call.
  mutating func readNumber() {
    let start = position
    while position < bytes.count {
      if Self.isWord(bytes[position]) {
        let isExponent = [0x65, 0x45, 0x70, 0x50].contains(bytes[position])
        position += 1
        if isExponent, byte() == UInt8(ascii: "-") || byte() == UInt8(ascii: "+"),
          (0x30...0x39).contains(byte(1)),
          !isHexadecimal(start) || bytes[position - 1] | 0x20 == 0x70
        {
          position += 1
        }
      } else if bytes[position] == UInt8(ascii: "."), (0x30...0x39).contains(byte(1)) {
        position += 1
      } else {
        break
      }
    }
    add(.number, from: start, "")
  }

  private func isHexadecimal(_ start: Int) -> Bool {
    bytes[start] == 0x30 && start + 1 < bytes.count && bytes[start + 1] == UInt8(ascii: "x")
  }
}

/// A token of Swift source code.
struct SwiftToken: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// A name or keyword. Backticks are not part of ``SwiftToken/text``.
    case name
    /// A number, whose text is not kept.
    case number
    /// A string literal. ``SwiftToken/text`` is its value, if ``SwiftToken/isPlain``. The tokens of
    /// its interpolations follow, each in a pair of `openInterpolation` and `closeInterpolation`.
    case string
    /// A regex literal, whose text is not kept.
    case regex
    /// `#if`, `#selector`, `#Predicate` and the like, with the number sign.
    case directive
    /// An operator, or one of `. , : ; @ = ? !`.
    case symbol
    /// One of `( [ {`.
    case open
    /// One of `) ] }`.
    case close
    case openInterpolation
    case closeInterpolation
  }

  var kind: Kind
  /// The byte offset of the first byte.
  var offset: Int
  /// The length in bytes.
  var length: Int
  /// The text, or the value of a string literal.
  var text: String
  /// Whether a string literal has no interpolations, is complete, and has valid escapes.
  var isPlain = false
  /// Whether a line break is between the previous token and this one.
  var followsLineBreak = false

  func isName(_ name: String) -> Bool { kind == .name && text == name }
  func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
  func isOpen(_ bracket: String) -> Bool { kind == .open && text == bracket }
  func isClose(_ bracket: String) -> Bool { kind == .close && text == bracket }

  /// Whether a name is written in backticks, so that it is no keyword.
  var isEscaped: Bool { kind == .name && length != text.utf8.count }

  /// Whether the token increases the depth of brackets.
  var opens: Bool { kind == .open || kind == .openInterpolation }
  /// Whether the token decreases the depth of brackets.
  var closes: Bool { kind == .close || kind == .closeInterpolation }

  /// Whether an expression can end with the token.
  var endsOperand: Bool {
    switch kind {
    case .name: !Self.keywordsBeforeOperands.contains(text)
    case .number, .string, .regex, .close, .closeInterpolation, .directive: true
    case .symbol: text == "?" || text == "!" || text == ">"
    case .open, .openInterpolation: false
    }
  }

  private static let keywordsBeforeOperands: Set<String> = [
    "as", "await", "case", "consume", "copy", "do", "else", "for", "guard", "if", "in", "is",
    "return", "switch", "throw", "try", "unsafe", "where", "while", "yield", "borrowing", "each",
    "repeat", "defer", "discard",
  ]
}
