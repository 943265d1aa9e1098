/// A parsed schema file: the schema and the diagnostics.
///
/// Parsing never fails: for a file with an error, the document holds the elements before the error,
/// and the error. To require a complete schema, call ``validSchema()``, which throws the error.
///
/// ```swift
/// let document = SchemaDocument(parsing: bytes, name: "CloudKit/schema.ckdb")
/// let schema = try document.validSchema()
/// ```
public struct SchemaDocument: Sendable {
  /// The display name of the file, such as its path.
  public let name: String
  /// The schema. Incomplete if the file has errors; see ``validSchema()``.
  public private(set) var schema: CloudSchema
  /// The model that the schema was derived from; nil for a file in the schema language. The schema is
  /// then the full one: with the fields that only large values and shared objects have.
  package private(set) var model: MirroredModel?
  /// The warnings, and the first error. Text after it is not read.
  package let diagnostics: [SchemaDiagnostic]
  /// Whether a comment contains invalid UTF-8, which is lost when the schema is printed.
  package let hasBrokenComment: Bool
  /// The source text.
  package let source: [UInt8]

  /// The maximum file size in bytes: 16 MiB. The largest schema in the corpus has 31 kB.
  package static let maxSize = 16 << 20

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
    diagnostics = parser.diagnostics
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

  /// Creates the document of the schema that the library of a model creates from it.
  package init(_ model: MirroredModel) {
    self.init(model.fullSchema, name: model.name)
    self.model = model
    locations = MirroredSchema(model).locations
  }

  /// The places in a model that elements of the schema were derived from.
  private(set) var locations: [SchemaSubject: SchemaLocation] = [:]

  mutating func replaceSchema(with schema: CloudSchema) { self.schema = schema }

  /// Whether the file has an error.
  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// Returns the schema if there are no errors.
  ///
  /// - Throws: ``SchemaError/syntax(_:)`` with all diagnostics.
  public func validSchema() throws -> CloudSchema {
    if hasErrors { throw SchemaError.syntax(self) }
    return schema
  }

  /// Returns the diagnostics as text, without a trailing newline.
  package func diagnosticText() -> String {
    diagnostics.map { $0.text(file: name) }.joined(separator: "\n")
  }
}

/// An error or warning about the text of a schema.
package struct SchemaDiagnostic: Sendable, Hashable {
  /// The severity of a diagnostic.
  package enum Severity: String, Sendable, Hashable {
    /// No server accepts the text.
    case error
    /// The text was parsed, but not every server may accept it.
    case warning
  }

  /// The kind of a diagnostic. The raw values are stable.
  package enum Code: String, Sendable, Hashable, CaseIterable {
    /// The file is too large, or is not UTF-8 text.
    case unreadable = "UNREADABLE"
    /// The file is empty, has other content, or defines no record type, as if it were truncated.
    case notASchema = "NOT_A_SCHEMA"
    /// The text does not follow the grammar.
    case syntax = "SYNTAX"
    /// A form that occurs in no export: a keyword in lower case, a comma too many.
    case unusual = "UNUSUAL"
  }

  /// The severity.
  package var severity: Severity
  /// The kind of diagnostic.
  package var code: Code
  /// A one-sentence description of the fault.
  package var message: String
  /// The location.
  package var span: SourceSpan
  /// The offending text, truncated if long. Empty at the end of the file.
  package var found: String
  /// The tokens that are allowed here. Empty if not applicable.
  package var expected: [String]
  /// A suggested fix.
  package var hint: String?
  /// The line with the fault, truncated around it if long; of a file that is not a schema, only the
  /// offending text.
  package var excerpt: String
  /// A line of spaces and `^~~~` to print below the excerpt.
  package var caret: String

  init(
    _ severity: Severity, _ code: Code, _ message: String, at span: SourceSpan, in bytes: [UInt8],
    expected: [String] = [], hint: String? = nil
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.span = span
    let end = min(span.endOffset, bytes.count)
    let start = min(span.offset, end)
    found = SourceExcerpt.printable(bytes[start..<min(end, start + 80)])
    self.expected = expected
    self.hint = hint
    // A file of another kind may have records in it, with encrypted values.
    let isForeign = code == .notASchema || code == .unreadable
    let excerpt =
      isForeign
      ? SourceExcerpt(
        Array(bytes[start..<min(end, start + 80)]),
        at: SourceSpan(offset: 0, length: end - start, line: 1, column: 1))
      : SourceExcerpt(bytes, at: span)
    (self.excerpt, caret) = (excerpt.line, excerpt.caret)
  }

  /// Returns the diagnostic in the format of a compiler, on several lines, without a trailing
  /// newline.
  ///
  /// - Parameter file: The file name to print before line and column.
  package func text(file: String) -> String {
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
