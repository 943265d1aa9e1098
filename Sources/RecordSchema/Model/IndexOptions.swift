extension Schema {
  /// The indexes of a field.
  public struct IndexOptions: OptionSet, Sendable, Hashable {
    /// Bits: 1 queryable, 2 searchable, 4 sortable.
    public let rawValue: UInt8

    /// Makes a set from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `QUERYABLE`: predicates may compare the field.
    public static let queryable = IndexOptions(rawValue: 1)
    /// `SEARCHABLE`: its words can be searched.
    public static let searchable = IndexOptions(rawValue: 2)
    /// `SORTABLE`: results can be sorted by it.
    public static let sortable = IndexOptions(rawValue: 4)

    /// Every option with its keyword, in the order of Apple's export form.
    static let keywords: [(option: IndexOptions, keyword: String)] = [
      (.queryable, "QUERYABLE"), (.searchable, "SEARCHABLE"), (.sortable, "SORTABLE"),
    ]

    /// The keywords of the set, in the order of Apple's export form.
    public var keywords: [String] {
      Self.keywords.filter { contains($0.option) }.map(\.keyword)
    }

    /// The indexes that the development server gives a field that it makes just in time: all that
    /// its type can have (counted in the corpus: strings `QUERYABLE SEARCHABLE SORTABLE`, other
    /// scalars `QUERYABLE SORTABLE`, references and lists `QUERYABLE`, string lists also
    /// `SEARCHABLE`; none on assets and encrypted fields).
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

extension Schema.IndexOptions: CustomStringConvertible {
  /// The keywords with spaces between them; empty where there is none.
  public var description: String { keywords.joined(separator: " ") }
}
