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
