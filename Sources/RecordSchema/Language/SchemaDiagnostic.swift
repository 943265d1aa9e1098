/// One thing that is wrong, or that nobody is sure of, in the text of a schema.
public struct SchemaDiagnostic: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable {
    /// No server accepts the text.
    case error
    /// The text was understood; whether every server understands it is not known.
    case warning
  }

  /// What kind of fault it is; the raw values are stable.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// There is nothing but white space and comments.
    case emptyInput = "EMPTY_INPUT"
    /// The schema defines no record type, which no export does: it looks cut off.
    case noRecordType = "NO_RECORD_TYPE"
    /// The file ends inside a statement.
    case unexpectedEnd = "UNEXPECTED_END"
    /// `DEFINE SCHEMA` is missing at the start.
    case missingHeader = "MISSING_HEADER"
    /// The text does not look like a schema at all.
    case notASchema = "NOT_A_SCHEMA"
    /// Something else stands where the grammar wants something.
    case unexpectedToken = "UNEXPECTED_TOKEN"
    /// The language has no such data type.
    case unknownType = "UNKNOWN_TYPE"
    /// The type cannot be put together like this.
    case illegalType = "ILLEGAL_TYPE"
    /// The language has no such field option.
    case unknownOption = "UNKNOWN_OPTION"
    /// The language has no such permission.
    case unknownPermission = "UNKNOWN_PERMISSION"
    /// A `GRANT` names more than one role.
    case severalRoles = "SEVERAL_ROLES_IN_GRANT"
    /// A comma is missing between two entries.
    case missingComma = "MISSING_COMMA"
    /// A semicolon is missing behind a statement.
    case missingSemicolon = "MISSING_SEMICOLON"
    /// A comment is not closed.
    case unterminatedComment = "UNTERMINATED_COMMENT"
    /// A quoted name is not closed on its line.
    case unterminatedName = "UNTERMINATED_NAME"
    /// A quoted name is empty.
    case emptyName = "EMPTY_NAME"
    /// The file is not UTF-8 text.
    case encoding = "ENCODING"
    /// The file is larger than ``SchemaDocument/maximumSize``.
    case tooLarge = "TOO_LARGE"
    /// Keywords in lower or mixed case.
    case keywordCase = "KEYWORD_CASE"
    /// A comma before the closing parenthesis.
    case trailingComma = "TRAILING_COMMA"
    /// A record type without entries.
    case emptyRecordType = "EMPTY_RECORD_TYPE"
    /// A semicolon with nothing before it.
    case emptyStatement = "EMPTY_STATEMENT"
    /// A byte order mark at the start of the file, or broken UTF-8 in a comment.
    case doubtfulText = "DOUBTFUL_TEXT"
  }

  /// How bad it is.
  public var severity: Severity
  /// What kind of fault it is.
  public var code: Code
  /// One sentence that says what is wrong.
  public var message: String
  /// Where it is.
  public var span: SourceSpan
  /// The offending text, shortened where it is long; empty at the end of the file.
  public var found: String
  /// What could have stood there instead; empty where that does not apply.
  public var expected: [String]
  /// What to do about it.
  public var hint: String?
  /// The line it is on, shortened around the place where it is long.
  public var excerpt: String
  /// A line of spaces and `^~~~` to print below the excerpt.
  public var caret: String
}

extension SchemaDiagnostic {
  /// The diagnostic as a compiler would print it, over several lines, without a final line break.
  ///
  /// - Parameter file: The name to print before line and column.
  public func text(file: String) -> String {
    var lines = ["\(file):\(span.line):\(span.column): \(severity.rawValue): \(message)"]
    if !excerpt.isEmpty || span.length > 0 {
      let number = String(span.line)
      lines.append("  \(number) | \(excerpt)")
      lines.append("  \(String(repeating: " ", count: number.utf8.count)) | \(caret)")
    }
    if !expected.isEmpty { lines.append("  expected: " + expected.joined(separator: ", ")) }
    if let hint { lines.append("  hint: " + hint) }
    return lines.joined(separator: "\n")
  }
}
