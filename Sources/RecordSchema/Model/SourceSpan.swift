/// A range of a schema file, as a byte offset and as line and column.
public struct SourceSpan: Sendable, Hashable {
  // Four bytes each: a schema has at most `SchemaDocument.maxSize` bytes, and a large schema
  // holds hundreds of thousands of spans.
  private var storedOffset: UInt32
  private var storedLength: UInt32
  private var storedLine: UInt32
  private var storedColumn: UInt32

  /// Creates a span. Numbers outside `UInt32` are clamped to its range.
  ///
  /// - Parameters:
  ///   - offset: The byte offset of the first byte, from 0.
  ///   - length: The length in bytes.
  ///   - line: The line of the first byte, from 1.
  ///   - column: The column of the first byte in Unicode scalars, from 1.
  public init(offset: Int, length: Int, line: Int, column: Int) {
    storedOffset = UInt32(clamping: offset)
    storedLength = UInt32(clamping: length)
    storedLine = UInt32(clamping: line)
    storedColumn = UInt32(clamping: column)
  }

  package static let start = SourceSpan(offset: 0, length: 0, line: 1, column: 1)

  /// The byte offset of the first byte, from 0.
  public var offset: Int { Int(storedOffset) }
  /// The length in bytes.
  public var length: Int { Int(storedLength) }
  /// The line of the first byte, from 1.
  public var line: Int { Int(storedLine) }
  /// The column of the first byte in Unicode scalars, from 1.
  public var column: Int { Int(storedColumn) }
  /// The byte offset after the last byte.
  public var endOffset: Int { offset + length }
}
