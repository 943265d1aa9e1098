/// A parsed schema file: the schema and the diagnostics.
///
/// Parsing never fails: for a file with errors, the document holds the parts that could be parsed
/// and all diagnostics. To require a complete schema, call ``validSchema()``, which throws if there
/// are errors.
///
/// ```swift
/// let document = SchemaDocument(parsing: bytes, name: "CloudKit/schema.ckdb")
/// let schema = try document.validSchema()
/// ```
public struct SchemaDocument: Sendable {
  /// The display name of the file, such as its path.
  public let name: String
  /// The schema. Incomplete if ``hasErrors`` is true.
  public let schema: CloudSchema
  /// The errors and warnings in file order, at most ``maxDiagnostics``.
  public let diagnostics: [SchemaDiagnostic]
  /// The number of diagnostics that were dropped after reaching ``maxDiagnostics``.
  public let omittedDiagnostics: Int
  /// Whether a comment contains invalid UTF-8, which is lost when the schema is printed.
  public let hasBrokenComment: Bool
  /// The source text.
  public let source: [UInt8]

  /// The maximum file size in bytes: 16 MiB. The largest schema in the corpus has 31 kB.
  public static let maxSize = 16 << 20
  /// The maximum number of diagnostics kept. Further ones are only counted.
  public static let maxDiagnostics = 100

  /// Parses the bytes of a schema file.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 text.
  ///   - name: The display name of the file.
  public init(parsing bytes: [UInt8], name: String = "schema.ckdb") {
    var parser = SchemaParser(bytes)
    parser.parseFile()
    self.name = name
    source = bytes
    schema = parser.schema
    diagnostics = parser.diagnostics.sorted
    omittedDiagnostics = parser.diagnostics.omitted
    hasBrokenComment = parser.hasBrokenComment
  }

  /// Parses the text of a schema.
  public init(parsing text: String, name: String = "schema.ckdb") {
    self.init(parsing: Array(text.utf8), name: name)
  }

  /// Creates a document from a schema that was not read from a file, such as an inferred one.
  ///
  /// The source is the schema as ``SchemaPrinter`` prints it, so that locations can be shown.
  public init(_ schema: CloudSchema, name: String) {
    self.init(parsing: SchemaPrinter(order: .asWritten).print(schema), name: name)
  }

  /// Whether the diagnostics contain an error.
  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// Returns the schema if there are no errors.
  ///
  /// - Throws: ``SchemaSyntaxError`` with all diagnostics.
  public func validSchema() throws -> CloudSchema {
    if hasErrors { throw SchemaSyntaxError(document: self) }
    return schema
  }

  /// Returns the diagnostics as text, without a trailing newline.
  public func diagnosticText() -> String {
    var parts = diagnostics.map { $0.text(file: name) }
    if omittedDiagnostics > 0 { parts.append("\(name): \(omittedDiagnostics) more not shown") }
    return parts.joined(separator: "\n")
  }
}

/// An error thrown if a schema file contains syntax errors.
public struct SchemaSyntaxError: Error, Sendable, CustomStringConvertible {
  /// The file and its diagnostics.
  public let document: SchemaDocument

  /// All diagnostics of the file, each with location, excerpt, expected tokens and hint.
  public var description: String { document.diagnosticText() }
}

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

/// Collects diagnostics up to a limit, so that the cost of a malicious file is bounded.
struct DiagnosticCollector {
  private let bytes: [UInt8]
  private var collected: [SchemaDiagnostic] = []
  private var onceReported: Set<SchemaDiagnostic.Code> = []
  private(set) var omitted = 0
  private(set) var hasErrors = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The diagnostics in file order, regardless of the order in which they were added.
  var sorted: [SchemaDiagnostic] {
    collected.enumerated().sorted {
      ($0.element.span.offset, $0.offset) < ($1.element.span.offset, $1.offset)
    }.map(\.element)
  }

  mutating func error(
    _ code: SchemaDiagnostic.Code, _ message: String, at span: SourceSpan,
    expected: [String] = [], hint: String? = nil
  ) {
    add(.error, code, message, at: span, expected: expected, hint: hint)
  }

  /// Adds a warning once per code, because an unusual form is often repeated throughout a file.
  mutating func warnOnce(
    _ code: SchemaDiagnostic.Code, _ message: String, at span: SourceSpan, hint: String? = nil
  ) {
    guard onceReported.insert(code).inserted else { return }
    add(.warning, code, message, at: span, expected: [], hint: hint)
  }

  mutating func warn(
    _ code: SchemaDiagnostic.Code, _ message: String, at span: SourceSpan, hint: String? = nil
  ) {
    add(.warning, code, message, at: span, expected: [], hint: hint)
  }

  private mutating func add(
    _ severity: SchemaDiagnostic.Severity, _ code: SchemaDiagnostic.Code, _ message: String,
    at span: SourceSpan, expected: [String], hint: String?
  ) {
    let isFirstError = severity == .error && !hasErrors
    if severity == .error { hasErrors = true }
    guard collected.count < SchemaDocument.maxDiagnostics || isFirstError else {
      omitted += 1
      return
    }
    let excerpt = SourceExcerpt(bytes, at: span)
    let end = min(span.endOffset, bytes.count)
    let start = min(span.offset, end)
    collected.append(
      SchemaDiagnostic(
        severity: severity, code: code, message: message, span: span,
        found: SourceExcerpt.printable(bytes[start..<min(end, start + 80)]),
        expected: expected, hint: hint, excerpt: excerpt.line, caret: excerpt.caret))
  }
}

/// An excerpt of the line around a location, limited in length even if the line is long.
struct SourceExcerpt {
  let line: String
  let caret: String

  /// The maximum number of bytes shown before and after the location.
  private static let reach = 80

  init(_ bytes: [UInt8], at span: SourceSpan) {
    let offset = min(span.offset, bytes.count)
    var start = offset
    while start > 0, offset - start < Self.reach, !Self.isBreak(bytes[start - 1]) { start -= 1 }
    let isCutBefore = start > 0 && !Self.isBreak(bytes[start - 1])
    while start < offset, bytes[start] & 0xC0 == 0x80 { start += 1 }
    var end = offset
    while end < bytes.count, end - offset < Self.reach, !Self.isBreak(bytes[end]) { end += 1 }
    let isCutBehind = end < bytes.count && !Self.isBreak(bytes[end])
    while isCutBehind, end > offset, bytes[end] & 0xC0 == 0x80 { end -= 1 }

    let before = Self.printable(bytes[start..<offset])
    let behind = Self.printable(bytes[offset..<end])
    line = (isCutBefore ? "…" : "") + before + behind + (isCutBehind ? "…" : "")
    // Tabs stay tabs, so that the caret is aligned for any tab width.
    let padding = before.unicodeScalars.map { $0 == "\t" ? "\t" : " " }.joined()
    let markEnd = max(offset, min(span.endOffset, end))
    let length = max(1, Self.printable(bytes[offset..<markEnd]).unicodeScalars.count)
    caret = (isCutBefore ? " " : "") + padding + "^" + String(repeating: "~", count: length - 1)
  }

  /// Returns text that is safe to print: control characters other than tabs, line breaks and
  /// bidirectional formatting characters become replacement characters.
  static func printable(_ bytes: ArraySlice<UInt8>) -> String {
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      result.append(scalar.isControlling && scalar != "\t" ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}

extension Unicode.Scalar {
  /// Whether this is a C0 or C1 control, a line or paragraph separator, or a bidirectional
  /// formatting character.
  package var isControlling: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
