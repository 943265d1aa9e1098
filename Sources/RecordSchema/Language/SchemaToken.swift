/// One token of the language.
struct SchemaToken {
  enum Kind {
    /// A run of name bytes: keyword or unquoted name, decided by the parser.
    case word
    /// A name in quotation marks; the span includes them.
    case quoted
    /// A name whose closing quotation mark is missing on its line.
    case unterminatedQuoted
    case leftParenthesis, rightParenthesis, leftAngle, rightAngle, comma, semicolon
    /// One character that the language does not have.
    case unknown
    /// The end of the file.
    case end
  }

  var kind: Kind
  var span: SourceSpan
}

/// A comment as the lexer meets it.
struct RawComment {
  var span: SourceSpan
  /// The line on which it ends.
  var endLine: Int
  var isLineComment: Bool
  /// Whether the next non-blank thing is more than one line below.
  var isFollowedByBlankLine = false
}
