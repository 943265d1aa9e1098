extension Schema {
  /// Where an element stood in its file and how it was written; absent on elements made by code.
  public struct Origin: Sendable, Hashable {
    /// The name: of the role, the record type, the field, or the role of a grant.
    public var name: SourceSpan
    /// The data type of a field, or the keyword `GRANT`.
    public var detail: SourceSpan?
    /// True where the name stood in quotation marks.
    public var isQuoted: Bool
    /// Options or permissions written a second time.
    public var repeated: [SourceSpan]

    /// Makes an origin.
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
