/// A schema file cannot be judged, because it has errors.
public struct SchemaSyntaxError: Error, Sendable, CustomStringConvertible {
  /// The file and its diagnostics.
  public let document: SchemaDocument

  /// Makes an error about a document.
  public init(document: SchemaDocument) {
    self.document = document
  }

  /// All diagnostics of the file, each with place, excerpt, expectation and hint.
  public var description: String { document.diagnosticText() }
}
