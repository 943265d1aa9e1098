/// A stretch of a schema file: where it starts, for programs and for people, and how long it is.
public struct SourceSpan: Sendable, Hashable {
  // Four bytes each: a schema text is at most `SchemaDocument.maximumSize` bytes long, and a large
  // schema holds hundreds of thousands of spans.
  private var storedOffset: UInt32
  private var storedLength: UInt32
  private var storedLine: UInt32
  private var storedColumn: UInt32

  /// Makes a span; numbers outside `UInt32` are brought to its nearest end.
  ///
  /// - Parameters:
  ///   - offset: Byte offset of the first byte, from 0.
  ///   - length: Length in bytes.
  ///   - line: Line of the first byte, from 1.
  ///   - column: Column of the first byte in Unicode scalars, from 1.
  public init(offset: Int, length: Int, line: Int, column: Int) {
    storedOffset = UInt32(clamping: offset)
    storedLength = UInt32(clamping: length)
    storedLine = UInt32(clamping: line)
    storedColumn = UInt32(clamping: column)
  }

  /// Byte offset of the first byte, from 0.
  public var offset: Int { Int(storedOffset) }
  /// Length in bytes.
  public var length: Int { Int(storedLength) }
  /// Line of the first byte, from 1.
  public var line: Int { Int(storedLine) }
  /// Column of the first byte in Unicode scalars, from 1.
  public var column: Int { Int(storedColumn) }
  /// Byte offset behind the last byte.
  public var endOffset: Int { offset + length }
}
