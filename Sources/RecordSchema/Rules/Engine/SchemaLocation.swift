/// A location in a named file.
public struct SchemaLocation: Sendable, Hashable, CustomStringConvertible {
  /// The display name of the file.
  public var file: String
  /// The range in the file.
  public var span: SourceSpan

  /// `file:line:column`
  public var description: String { "\(file):\(span.line):\(span.column)" }
}
