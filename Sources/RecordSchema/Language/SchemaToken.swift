/// A token of the schema language.
struct SchemaToken {
  enum Kind {
    /// A run of name bytes: a keyword or an unquoted name, as the parser decides.
    case word
    /// A name in quotation marks, which the span includes.
    case quoted
    /// A name without a closing quotation mark on its line.
    case unterminatedQuoted
    case leftParenthesis, rightParenthesis, leftAngle, rightAngle, comma, semicolon
    /// A character that is not part of the language.
    case unknown
    /// The end of the file.
    case end
  }

  var kind: Kind
  var span: SourceSpan
}

/// A comment as found by the lexer.
struct RawComment {
  var span: SourceSpan
  var isLineComment: Bool
  var isFollowedByBlankLine: Bool
}
