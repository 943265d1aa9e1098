/// A schema file that was read: what it says, and what is wrong with it.
///
/// Reading never fails: a file with errors gives the parts that could be understood, and all
/// diagnostics. Whoever needs the whole schema asks ``validSchema()``, which throws on errors.
public struct SchemaDocument: Sendable {
  /// The name under which the file is shown, such as its path.
  public let name: String
  /// The schema; incomplete where ``hasErrors``.
  public let schema: Schema
  /// Errors and warnings in the order of the file; at most ``maximumDiagnostics``.
  public let diagnostics: [SchemaDiagnostic]
  /// How many diagnostics were left out behind the last.
  public let omittedDiagnostics: Int
  /// Whether a comment has bytes that are not UTF-8: whatever is printed has lost them.
  public let hasBrokenComment: Bool
  /// The text as it was read.
  public let source: [UInt8]

  /// Files above this many bytes are refused: 16 MiB. The largest schema in the corpus has 31 kB.
  public static let maximumSize = 16 << 20
  /// Diagnostics beyond this number are counted only.
  public static let maximumDiagnostics = 100

  /// Reads a schema from the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 text.
  ///   - name: The name under which to show the file.
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

  /// Reads a schema from text.
  public init(parsing text: String, name: String = "schema.ckdb") {
    self.init(parsing: Array(text.utf8), name: name)
  }

  /// Wraps a schema that did not come from a file, such as an inferred one.
  ///
  /// The document holds the schema as ``SchemaPrinter`` prints it, so that places can be shown.
  public init(_ schema: Schema, name: String) {
    self.init(parsing: SchemaPrinter(order: .asWritten).print(schema), name: name)
  }

  /// Whether there is an error among the diagnostics.
  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// The schema, if there is no error in it.
  ///
  /// - Throws: ``SchemaSyntaxError`` with all diagnostics.
  public func validSchema() throws -> Schema {
    if hasErrors { throw SchemaSyntaxError(document: self) }
    return schema
  }

  /// The diagnostics as text, one after the other, without a final line break.
  public func diagnosticText() -> String {
    var parts = diagnostics.map { $0.text(file: name) }
    if omittedDiagnostics > 0 { parts.append("\(name): \(omittedDiagnostics) more not shown") }
    return parts.joined(separator: "\n")
  }
}
