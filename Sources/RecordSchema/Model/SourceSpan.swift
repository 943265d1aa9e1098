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

extension CloudSchema {
  /// The location of an element in its file and how it was written. `nil` for elements created in
  /// code.
  public struct Origin: Sendable, Hashable {
    /// The span of the name: of the role, the record type, the field, or the role of a grant.
    public var name: SourceSpan
    /// The span of a field's data type, or of the keyword `GRANT`.
    public var detail: SourceSpan?
    /// Whether the name was in quotation marks.
    public var isQuoted: Bool
    /// The spans of repeated options or permissions.
    public var repeated: [SourceSpan]

    /// Creates an origin.
    public init(
      name: SourceSpan, detail: SourceSpan? = nil, isQuoted: Bool = false,
      repeated: [SourceSpan] = []
    ) {
      self.name = name
      self.detail = detail
      self.isQuoted = isQuoted
      self.repeated = repeated
    }
  }
}

/// A stored value that is ignored by equality and hashing.
///
/// Schema elements store their location in the file and how they were written. This wrapper
/// excludes these values, so that schemas with the same content are equal wherever they were read
/// from.
@propertyWrapper
public struct EqualityIgnored<Value: Sendable>: Sendable, Hashable {
  /// The wrapped value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// Returns true for any two values.
  public static func == (lhs: EqualityIgnored, rhs: EqualityIgnored) -> Bool { true }

  /// Does nothing, so that all values have the same hash.
  public func hash(into hasher: inout Hasher) {}
}
