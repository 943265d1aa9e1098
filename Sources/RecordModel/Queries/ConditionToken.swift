/// A token of a predicate, of a condition or of an expression: all three are spelled alike.
package struct ConditionToken: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    /// A name or a keyword.
    case word(String)
    /// `#name`: a name, even if it is a keyword.
    case name(String)
    /// `%@`, `%K`, or a number's specifier such as `%ld`.
    case argument(String)
    case string(String)
    /// Without its sign: the least INT64 has no positive counterpart.
    case number(String)
    /// An operator or punctuation.
    case sign(String)
    case end
  }

  package let content: Content
  /// In Unicode scalars from 1.
  package let column: Int

  package init(_ content: Content, column: Int) { (self.content, self.column) = (content, column) }

  // MARK: Operators

  package static let or = ["OR", "||"]
  package static let and = ["AND", "&&"]
  package static let not = ["NOT", "!"]
  private static let comparisons = [["=", "=="], ["!=", "<>"], ["<=", "=<"], [">=", "=>"]]

  /// The spellings of a comparison; the sign itself for another sign or keyword.
  package static func spellings(of sign: String) -> [String] {
    comparisons.first { $0.contains(sign) } ?? [sign]
  }

  /// Whether the token is one of these keywords, in any case, or signs.
  package func isOne(of texts: [String]) -> Bool {
    switch content {
    case .word(let word): texts.contains(word.uppercased())
    case .sign(let sign): texts.contains(sign)
    default: false
    }
  }

  /// The token as a message names it.
  package var description: String {
    switch content {
    case .word(let text), .argument(let text), .sign(let text), .number(let text): "'\(text)'"
    case .name(let text): "'#\(text)'"
    case .string: "a string"
    case .end: "the end"
    }
  }
}
