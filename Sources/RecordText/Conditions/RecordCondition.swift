import RecordMigration
import RecordModel

/// A condition on records that somebody typed: a predicate of CloudKit, with additions.
///
/// ```
/// kind = 'photo' AND has caption
/// sentAt > '2025-06-01' OR length(text) > 100
/// NOT (tags CONTAINS 'draft' OR modificationDate < creationDate)
/// ```
///
/// The additions, which no server accepts:
///
/// - `OR`, and `NOT` before any part; `FALSEPREDICATE`
/// - `has FIELD`, for encrypted fields too
/// - functions of migration plans' expressions in place of a field, and alone if they are true or
///   false: `lower(title) = 'a'`, `contains(text, 'draft')`
/// - comparisons of two fields or functions
/// - the properties `recordName`, `recordType`, `zoneName`, `ownerName`, `database`, `parent`, `share`
///   and `recordChangeTag`
/// - `location(latitude, longitude)`
/// - text in place of a date (ISO 8601), and of a reference (its record name)
///
/// A comparison without a value is neither true nor false, and so is `NOT` before it: as in CloudKit,
/// `number != 3` and `NOT number = 3` do not match records without a number.
package struct RecordCondition: Sendable {
  /// The text of the condition.
  package let text: String
  let root: PredicateNode
  /// The functions; columns of their errors are those of the condition.
  private(set) var functions: [PredicateTerm: RecordExpression] = [:]

  /// Parses a condition.
  ///
  /// - Throws: `QueryPredicateError` with the column, the text found there, and the expected one.
  package init(_ text: String) throws(QueryPredicateError) {
    self.text = text
    root = try PredicateNode(condition: text)
    for term in root.leaves.flatMap(\.terms).map(\.term) {
      guard case .function(let source, let tokens) = term else { continue }
      do {
        functions[term] = try RecordExpression(source, tokens)
      } catch let error as MigrationError {
        throw QueryPredicateError(error.column ?? tokens[0].column, error.message)
      } catch {
        throw QueryPredicateError(tokens[0].column, "\(error)")
      }
    }
  }

  /// A field that the condition reads.
  package struct NamedField: Hashable {
    /// The name in the condition.
    package let name: String
    /// In Unicode scalars from 1.
    package let column: Int
  }

  /// The fields that the condition reads, in its order, except system fields.
  package var fields: [NamedField] {
    root.leaves.flatMap(\.terms).flatMap { fields(of: $0.term, at: $0.column) }
  }

  /// The fields whose values the condition compares, in its order, except system fields. Those that
  /// it only names in `has` are not among them.
  package var comparedFields: [NamedField] {
    root.leaves.filter { !$0.isHas }.flatMap(\.terms)
      .flatMap { fields(of: $0.term, at: $0.column) }
  }

  private func fields(of term: PredicateTerm, at column: Int) -> [NamedField] {
    switch term {
    case .field(let name):
      name.hasPrefix("___") ? [] : [NamedField(name: name, column: column)]
    case .property: []
    case .function:
      functions[term].map { function in
        function.fieldNames.sorted().map { name in
          NamedField(name: name, column: function.column(ofField: name) ?? column)
        }
      } ?? []
    }
  }

  /// The names of values that a condition reads beside fields.
  package static var systemNames: [String] {
    RecordProperty.names + SystemField.predicateNames.filter { !RecordProperty.names.contains($0) }
  }

  /// A comparison, wherever it is in the condition.
  package struct Comparison {
    /// A side that is not a value of the condition.
    package struct Side {
      package let term: PredicateTerm
      /// In Unicode scalars from 1.
      package let column: Int
      /// The types that the values have in any record; nil for a field, which records decide, and for a
      /// function of unknown results.
      package let types: Set<ValueType>?
    }

    package let comparator: QueryFilter.Comparator
    package let left: Side
    /// The other side, if it is not a value.
    package let right: Side?
    /// The value on the other side.
    package let value: RecordValue?
  }

  /// The comparisons, in the order of the condition, except searches in all text.
  package var comparisons: [Comparison] {
    func side(_ term: PredicateTerm, _ column: Int) -> Comparison.Side {
      let types: Set<ValueType>? =
        switch term {
        case .field: nil
        case .property(let property): [property.type]
        case .function: functions[term]?.resultTypes
        }
      return Comparison.Side(term: term, column: column, types: types)
    }
    return root.leaves.compactMap { node in
      switch node {
      case .filter(let filter, let term, let column) where !filter.isAllText:
        Comparison(
          comparator: filter.comparator, left: side(term, column), right: nil,
          value: filter.fieldValue)
      case .pair(let left, let leftColumn, let comparator, let right, let rightColumn):
        Comparison(
          comparator: comparator, left: side(left, leftColumn), right: side(right, rightColumn),
          value: nil)
      default: nil
      }
    }
  }

  /// The comparisons that all matching records meet, of which CloudKit has an equal. A store finds
  /// records by them.
  package var filters: [QueryFilter] { root.conjunction.compactMap(\.cloudFilter) }
}

extension PredicateNode {
  /// The parts that are not made of others, in the order of the condition.
  fileprivate var leaves: [PredicateNode] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.leaves)
    case .not(let part): part.leaves
    case .filter, .pair, .has, .holds: [self]
    }
  }

  /// The terms of such a part and their columns.
  fileprivate var terms: [(term: PredicateTerm, column: Int)] {
    switch self {
    case .all, .any, .not: []
    case .filter(let filter, let term, let column): filter.isAllText ? [] : [(term, column)]
    case .pair(let left, let leftColumn, _, let right, let rightColumn):
      [(left, leftColumn), (right, rightColumn)]
    case .has(let term, let column), .holds(let term, let column): [(term, column)]
    }
  }

  /// Whether the part asks only if there is a value.
  fileprivate var isHas: Bool {
    if case .has = self { true } else { false }
  }

  /// The parts that all must hold.
  var conjunction: [PredicateNode] {
    if case .all(let parts) = self { parts.flatMap(\.conjunction) } else { [self] }
  }

  /// The comparison as CloudKit has it; nil for other parts.
  var cloudFilter: QueryFilter? {
    if case .filter(let filter, .field, _) = self { filter } else { nil }
  }
}
