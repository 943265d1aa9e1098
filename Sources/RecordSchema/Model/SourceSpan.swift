/// A range of a schema file, as a byte offset and as line and column.
public struct SourceSpan: Sendable, Hashable {
  /// The byte offset of the first byte, from 0.
  public let offset: Int
  /// The length in bytes.
  public let length: Int
  /// The line of the first byte, from 1.
  public let line: Int
  /// The column of the first byte in Unicode scalars, from 1.
  public let column: Int

  package init(offset: Int, length: Int, line: Int, column: Int) {
    (self.offset, self.length, self.line, self.column) = (offset, length, line, column)
  }

  package static let start = SourceSpan(offset: 0, length: 0, line: 1, column: 1)

  /// The byte offset after the last byte.
  package var endOffset: Int { offset + length }
}

extension CloudSchema {
  /// The location of an element in its file and how it was written. `nil` for elements created in
  /// code.
  package struct Origin: Sendable, Hashable {
    /// The span of the name: of the role, the record type, the field, or the role of a grant.
    package var name: SourceSpan
    /// The span of a field's data type, or of the keyword `GRANT`.
    package var detail: SourceSpan?
    /// Whether the name was in quotation marks.
    package var isQuoted = false
    /// The spans of repeated options or permissions.
    package var repeated: [SourceSpan] = []
  }
}
