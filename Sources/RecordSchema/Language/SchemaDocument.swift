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
