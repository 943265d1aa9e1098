extension QueryFilter {
  /// The value of a specifier in a predicate's format.
  package enum PredicateArgument {
    /// The name of a field in predicates, for `%K`.
    case name(String)
    /// For `%@`.
    case value(RecordValue)
    /// A distance in metres, for `%@`.
    case number(Double)
  }

  /// The comparison as a format with its arguments, as `NSPredicate(format:argumentArray:)` takes
  /// them; nil if no predicate of CloudKit can express it.
  package var predicate: (format: String, arguments: [PredicateArgument])? {
    let name = PredicateArgument.name(SystemField.predicateName(fieldName))
    let value = PredicateArgument.value(fieldValue)
    switch comparator {
    case .near:
      guard let distance, distance.isFinite else { return nil }
      return ("distanceToLocation:fromLocation:(%K, %@) < %@", [name, value, .number(distance)])
    case .containsAllTokens where fieldName == QueryFilter.allText:
      return ("self CONTAINS %@", [value])
    case .listContainsAll: return ("ALL %@ IN %K", [value, name])
    case .notListContainsAll: return ("NOT (ALL %@ IN %K)", [value, name])
    default:
      guard fieldName != QueryFilter.allText, let format = comparator.predicateFormat else {
        return nil
      }
      return (format, [name, value])
    }
  }
}

extension QueryFilter.Comparator {
  /// The comparison of a field (`%K`) with a value (`%@`); nil if it has another form or none.
  fileprivate var predicateFormat: String? {
    switch self {
    case .equals: "%K = %@"
    case .notEquals: "%K != %@"
    case .lessThan: "%K < %@"
    case .lessThanOrEquals: "%K <= %@"
    case .greaterThan: "%K > %@"
    case .greaterThanOrEquals: "%K >= %@"
    case .in: "%K IN %@"
    case .notIn: "NOT (%K IN %@)"
    case .beginsWith: "%K BEGINSWITH %@"
    case .notBeginsWith: "NOT (%K BEGINSWITH %@)"
    case .listContains: "%K CONTAINS %@"
    case .notListContains: "NOT (%K CONTAINS %@)"
    case .listContainsAny: "ANY %K IN %@"
    case .notListContainsAny: "NONE %K IN %@"
    case .listMemberBeginsWith: "ANY %K BEGINSWITH %@"
    case .notListMemberBeginsWith: "NONE %K BEGINSWITH %@"
    case .near, .containsAllTokens, .containsAnyTokens, .listContainsAll, .notListContainsAll: nil
    }
  }
}
