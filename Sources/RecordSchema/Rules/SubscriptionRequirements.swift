import RecordModel

/// The parts of a subscription that depend on the schema.
struct SubscriptionRequirements: CustomStringConvertible {
  let database: DatabaseScope
  let subscription: CloudSubscription

  /// The record type that the subscription is limited to, if any.
  var recordType: String? {
    switch subscription.kind {
    case .query(let query, _, _, _): query.recordType
    case .zone(_, let recordType), .database(let recordType): recordType
    }
  }

  /// The fields that the predicate compares, once per required index.
  var comparisons: [Comparison] {
    guard case .query(let query, _, _, _) = subscription.kind else { return [] }
    var seen: Set<Comparison> = []
    return query.filters.map { Comparison($0) }.filter { seen.insert($0).inserted }
  }

  /// Whether the subscription matches all records of a type in the public database.
  var isForAllPublicRecords: Bool {
    guard database == .public, case .query(let query, _, _, _) = subscription.kind else {
      return false
    }
    return query.filters.isEmpty
  }

  var description: String {
    "the subscription '\(subscription.subscriptionID)' of the \(database.rawValue) database"
  }

  /// A field that a predicate compares, and the index that this requires.
  struct Comparison: Hashable {
    @ExactText private(set) var name: String
    let option: CloudSchema.IndexOptions
    /// Whether the predicate searches words in any field.
    private let isAnyField: Bool

    init(_ filter: QueryFilter) {
      let name = filter.fieldName
      _name = ExactText(wrappedValue: name)
      switch filter.comparator {
      case .containsAllTokens, .containsAnyTokens:
        option = .searchable
        isAnyField = name == "self" || name == "allTokens"
      default:
        option = .queryable
        isAnyField = false
      }
    }

    var index: String { option.description }

    /// Returns the compared field of a record type. A system field that the schema omits has no
    /// index.
    func field(of type: String, in index: SchemaIndex) -> CloudSchema.Field? {
      if isAnyField, let field = index[type]?.fields.first(where: { $0.options.contains(option) }) {
        return field
      }
      if let field = index.field(named: name, of: type) { return field }
      guard let system = SystemField(anyName: name) else { return nil }
      return index.field(named: system.rawValue, of: type)
        ?? CloudSchema.Field(system.rawValue, system.type)
    }
  }
}

extension SystemField {
  /// Creates the field with a name in predicates, in the Console, or in a schema.
  fileprivate init?(anyName name: String) {
    let found = Self.allCases.first { field in
      let schemaName = field.rawValue
      return [field.predicateName, field.webName, schemaName, String(schemaName.dropFirst(3))]
        .contains(name)
    }
    guard let found else { return nil }
    self = found
  }
}
