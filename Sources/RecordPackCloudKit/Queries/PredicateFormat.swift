#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  /// The text of a predicate, and the values for its specifiers, as `NSPredicate(format:)` takes
  /// them.
  struct PredicateFormat {
    var text = ""
    var arguments: [Any] = []

    /// Creates the format of a query's filters.
    ///
    /// - Throws: `CloudError` with `invalidArguments` for a filter that no predicate of CloudKit can
    ///   express.
    init(_ filters: [QueryFilter]) throws {
      for filter in filters {
        if !text.isEmpty { text += " AND " }
        try add(filter)
      }
    }

    private mutating func add(_ filter: QueryFilter) throws {
      try QueryFieldName.check(filter.fieldName)
      guard filter.comparator.takes(filter.fieldValue),
        let value = try filter.fieldValue.object(withFilesIn: AssetFiles())
      else {
        throw CloudError(
          .invalidArguments,
          "a query cannot compare '\(filter.fieldName)' with a value of the type "
            + "\(filter.fieldValue.typeName) by \(filter.comparator.rawValue)")
      }
      switch filter.comparator {
      case .near:
        guard let distance = filter.distance, distance.isFinite else {
          throw CloudError(.invalidArguments, "the filter of '\(filter.fieldName)' has no distance")
        }
        text += "distanceToLocation:fromLocation:(%K, %@) < %@"
        arguments += [filter.predicateName, value, NSNumber(value: distance)]
      case .containsAllTokens where filter.fieldName == QueryFilter.allText:
        text += "self CONTAINS %@"
        arguments.append(value)
      case .listContainsAll, .notListContainsAll:
        text += filter.comparator == .listContainsAll ? "ALL %@ IN %K" : "NOT (ALL %@ IN %K)"
        arguments += [value, filter.predicateName]
      default:
        guard let comparison = filter.comparator.predicateFormat,
          filter.fieldName != QueryFilter.allText
        else {
          throw CloudError(
            .invalidArguments, "no predicate of CloudKit is \(filter.comparator.rawValue)")
        }
        text += comparison
        arguments += [filter.predicateName, value]
      }
    }

    /// The predicate; true if there are no filters.
    var predicate: NSPredicate {
      text.isEmpty
        ? NSPredicate(value: true) : NSPredicate(format: text, argumentArray: arguments)
    }
  }

  extension QueryFilter {
    /// The name of the field in predicates.
    fileprivate var predicateName: String { SystemFieldNames.predicateName(fieldName) }
  }

  extension QueryFilter.Comparator {
    /// Whether the comparison is with a value of this type. CloudKit raises an exception for some that
    /// are not.
    fileprivate func takes(_ value: RecordValue) -> Bool {
      switch self {
      case .near: value.type == .location
      case .beginsWith, .notBeginsWith, .listMemberBeginsWith, .notListMemberBeginsWith,
        .containsAllTokens, .containsAnyTokens:
        value.type == .string
      case .in, .notIn, .listContainsAny, .notListContainsAny, .listContainsAll,
        .notListContainsAll:
        value.elements != nil && !value.isOfAssets
      default: !value.isOfAssets
      }
    }

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
      case .near, .containsAllTokens, .containsAnyTokens, .listContainsAll, .notListContainsAll:
        nil
      }
    }
  }
#endif
