/// A location in a named file.
public struct SchemaLocation: Sendable, Hashable, CustomStringConvertible {
  /// The display name of the file.
  public var file: String
  /// The range in the file.
  public var span: SourceSpan

  /// Creates a location.
  public init(file: String, span: SourceSpan) {
    self.file = file
    self.span = span
  }

  /// `file:line:column`
  public var description: String { "\(file):\(span.line):\(span.column)" }
}
