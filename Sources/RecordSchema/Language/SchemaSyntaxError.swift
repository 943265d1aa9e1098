/// An error thrown if a schema file contains syntax errors.
public struct SchemaSyntaxError: Error, Sendable, CustomStringConvertible {
  /// The file and its diagnostics.
  public let document: SchemaDocument

  /// All diagnostics of the file, each with location, excerpt, expected tokens and hint.
  public var description: String { document.diagnosticText() }
}
