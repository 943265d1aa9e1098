/// A part of a predicate's tree.
///
/// A predicate of CloudKit is a list of filters that all must hold. A condition, which no server
/// reads, has the other parts too.
package indirect enum PredicateNode: Sendable, Hashable {
  /// All parts hold; none is the true predicate.
  case all([PredicateNode])
  /// One of the parts holds; none is the false predicate.
  case any([PredicateNode])
  /// The part does not hold.
  case not(PredicateNode)
  /// A comparison of a term with a value. The filter has the term's name as its field. The column of
  /// this part, and of the others, is the term's.
  case filter(QueryFilter, PredicateTerm, column: Int)
  /// A comparison of two terms.
  case pair(
    PredicateTerm, leftColumn: Int, QueryFilter.Comparator, PredicateTerm, rightColumn: Int)
  /// Whether a record has a value.
  case has(PredicateTerm, column: Int)
  /// Whether a function is true.
  case holds(PredicateTerm, column: Int)

  /// Parses a condition: a predicate of CloudKit, with additions.
  ///
  /// - Throws: ``QueryPredicateError``.
  package init(condition text: String) throws(QueryPredicateError) {
    var parser = try PredicateParser(text, arguments: [], hasAdditions: true)
    self = try parser.predicate()
  }

  /// The filters of the part; nil if it has anything else.
  var filters: [QueryFilter]? {
    switch self {
    case .filter(let filter, .field, _): return [filter]
    case .all(let parts):
      var filters: [QueryFilter] = []
      for part in parts {
        guard let own = part.filters else { return nil }
        filters += own
      }
      return filters
    default: return nil
    }
  }
}

/// A side of a comparison that has a value in each record.
package enum PredicateTerm: Sendable, Hashable {
  /// A field, by its name in a schema.
  case field(String)
  /// A value of the record itself.
  case property(RecordProperty)
  /// A function of fields, as in the expressions of migration plans: `length(text)`. The tokens have
  /// their places in the condition.
  case function(String, tokens: [ConditionToken])

  /// The name in the condition.
  package var name: String {
    switch self {
    case .field(let name): SystemField.predicateName(name)
    case .property(let property): property.rawValue
    case .function(let text, _): text
    }
  }
}

/// A value of a record that is not a field, under CloudKit's name.
package enum RecordProperty: String, CaseIterable, Sendable, Hashable {
  case recordName, recordType, zoneName, ownerName, database, parent, share, recordChangeTag
  case creationDate, creatorUserRecordID, modificationDate, lastModifiedUserRecordID

  /// The type of the values.
  package var type: ValueType {
    switch self {
    case .parent, .share: .reference
    case .creationDate, .modificationDate: .timestamp
    case .recordName, .recordType, .zoneName, .ownerName, .database, .recordChangeTag,
      .creatorUserRecordID, .lastModifiedUserRecordID:
      .string
    }
  }

  /// The names.
  package static var names: [String] { allCases.map(\.rawValue) }

  /// Creates the property that a condition reads under a name; nil for a field. Dates and users are
  /// fields in CloudKit's predicates.
  init?(inCondition name: String) {
    guard let property = RecordProperty(rawValue: name),
      name == "recordName" || !SystemField.predicateNames.contains(name)
    else { return nil }
    self = property
  }

  /// Returns the value in a record. Users are record names.
  package func value(in record: ResultRecord, _ database: DatabaseScope) -> RecordValue? {
    let system = record.systemFields
    switch self {
    case .recordName: return .string(record.recordID.recordName)
    case .recordType: return .string(record.recordType)
    case .zoneName: return .string(record.recordID.zoneID.zoneName)
    case .ownerName: return .string(record.recordID.zoneID.ownerName)
    case .database: return .string(database.rawValue)
    case .parent: return system.parent.map { .reference($0) }
    case .share: return system.share.map { .reference($0) }
    case .recordChangeTag: return system.recordChangeTag.map { .string($0) }
    case .creationDate: return system.created?.date.map { .timestamp($0) }
    case .creatorUserRecordID: return system.created?.userRecordName.map { .string($0) }
    case .modificationDate: return system.modified?.date.map { .timestamp($0) }
    case .lastModifiedUserRecordID: return system.modified?.userRecordName.map { .string($0) }
    }
  }
}
