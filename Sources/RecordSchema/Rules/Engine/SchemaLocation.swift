/// A place in a named file.
public struct SchemaLocation: Sendable, Hashable, CustomStringConvertible {
  /// The name under which the file was read.
  public var file: String
  /// The place in it.
  public var span: SourceSpan

  /// Makes a location.
  public init(file: String, span: SourceSpan) {
    self.file = file
    self.span = span
  }

  /// `file:line:column`
  public var description: String { "\(file):\(span.line):\(span.column)" }
}
