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
  /// Whether a line break lies between the previous token and this one.
  var followsLineBreak = false

  func isName(_ name: String) -> Bool { kind == .name && text == name }
  func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
  func isOpen(_ bracket: String) -> Bool { kind == .open && text == bracket }
  func isClose(_ bracket: String) -> Bool { kind == .close && text == bracket }

  /// Whether the token increases the depth of brackets.
  var opens: Bool { kind == .open || kind == .openInterpolation }
  /// Whether the token decreases the depth of brackets.
  var closes: Bool { kind == .close || kind == .closeInterpolation }
}

extension SwiftToken {
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
