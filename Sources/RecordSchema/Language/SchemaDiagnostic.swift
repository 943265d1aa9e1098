/// An error or warning about the text of a schema.
public struct SchemaDiagnostic: Sendable, Hashable {
  /// The severity of a diagnostic.
  public enum Severity: String, Sendable, Hashable {
    /// No server accepts the text.
    case error
    /// The text was parsed, but not every server may accept it.
    case warning
  }

  /// The kind of a diagnostic. The raw values are stable.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The file contains only white space and comments.
    case emptyInput = "EMPTY_INPUT"
    /// The schema defines no record type. Every export defines at least one, so the file is
    /// probably truncated.
    case noRecordType = "NO_RECORD_TYPE"
    /// The file ends inside a statement.
    case unexpectedEnd = "UNEXPECTED_END"
    /// `DEFINE SCHEMA` is missing at the start.
    case missingHeader = "MISSING_HEADER"
    /// The text is not a schema.
    case notASchema = "NOT_A_SCHEMA"
    /// A token that the grammar does not allow here.
    case unexpectedToken = "UNEXPECTED_TOKEN"
    /// An unknown data type.
    case unknownType = "UNKNOWN_TYPE"
    /// An invalid combination of type keywords.
    case illegalType = "ILLEGAL_TYPE"
    /// An unknown field option.
    case unknownOption = "UNKNOWN_OPTION"
    /// An unknown permission.
    case unknownPermission = "UNKNOWN_PERMISSION"
    /// A `GRANT` names more than one role.
    case severalRoles = "SEVERAL_ROLES_IN_GRANT"
    /// A comma is missing between two entries.
    case missingComma = "MISSING_COMMA"
    /// A semicolon is missing after a statement.
    case missingSemicolon = "MISSING_SEMICOLON"
    /// A comment is not closed.
    case unterminatedComment = "UNTERMINATED_COMMENT"
    /// A quoted name is not closed on its line.
    case unterminatedName = "UNTERMINATED_NAME"
    /// A quoted name is empty.
    case emptyName = "EMPTY_NAME"
    /// The file is not valid UTF-8.
    case encoding = "ENCODING"
    /// The file is larger than ``SchemaDocument/maxSize``.
    case tooLarge = "TOO_LARGE"
    /// A keyword is in lower or mixed case.
    case keywordCase = "KEYWORD_CASE"
    /// A comma precedes the closing parenthesis.
    case trailingComma = "TRAILING_COMMA"
    /// A record type has no entries.
    case emptyRecordType = "EMPTY_RECORD_TYPE"
    /// A semicolon without a statement.
    case emptyStatement = "EMPTY_STATEMENT"
    /// A byte order mark at the start of the file, or invalid UTF-8 in a comment.
    case doubtfulText = "DOUBTFUL_TEXT"
  }

  /// The severity.
  public var severity: Severity
  /// The kind of diagnostic.
  public var code: Code
  /// A one-sentence description of the fault.
  public var message: String
  /// The location.
  public var span: SourceSpan
  /// The offending text, truncated if long. Empty at the end of the file.
  public var found: String
  /// The tokens that are allowed here. Empty if not applicable.
  public var expected: [String]
  /// A suggested fix.
  public var hint: String?
  /// The line with the fault, truncated around it if long.
  public var excerpt: String
  /// A line of spaces and `^~~~` to print below the excerpt.
  public var caret: String
}

extension SchemaDiagnostic {
  /// Returns the diagnostic in the format of a compiler, on several lines, without a trailing
  /// newline.
  ///
  /// - Parameter file: The file name to print before line and column.
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
