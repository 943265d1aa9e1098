extension CloudSchema {
  /// The indexes of a field.
  public struct IndexOptions: OptionSet, Sendable, Hashable {
    /// The bits: 1 queryable, 2 searchable, 4 sortable.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `QUERYABLE`: the field can be used in predicates.
    public static let queryable = IndexOptions(rawValue: 1)
    /// `SEARCHABLE`: the field supports full-text search.
    public static let searchable = IndexOptions(rawValue: 2)
    /// `SORTABLE`: results can be sorted by the field.
    public static let sortable = IndexOptions(rawValue: 4)

    /// The options with their keywords, in the order of Apple's export form.
    static let keywords: [(option: IndexOptions, keyword: String)] = [
      (.queryable, "QUERYABLE"), (.searchable, "SEARCHABLE"), (.sortable, "SORTABLE"),
    ]

    /// The keywords of the set, in the order of Apple's export form.
    public var keywords: [String] {
      Self.keywords.filter { contains($0.option) }.map(\.keyword)
    }

    /// Returns the indexes of a field that the development server creates just in time: all that
    /// its type supports. Counted in the corpus: strings `QUERYABLE SEARCHABLE SORTABLE`, other
    /// scalars `QUERYABLE SORTABLE`, references, locations and lists `QUERYABLE`, string lists also
    /// `SEARCHABLE`; none on assets and encrypted fields.
    public static func justInTime(for type: FieldType) -> IndexOptions {
      if type.isEncrypted || type.primitive == .asset { return [] }
      switch (type.primitive, type.isList) {
      case (.string, false): return [.queryable, .searchable, .sortable]
      case (.string, true): return [.queryable, .searchable]
      case (_, true), (.reference, _), (.location, _): return .queryable
      default: return [.queryable, .sortable]
      }
    }
  }
}

extension CloudSchema.IndexOptions: CustomStringConvertible {
  /// The keywords separated by spaces, or an empty string for an empty set.
  public var description: String { keywords.joined(separator: " ") }
}
