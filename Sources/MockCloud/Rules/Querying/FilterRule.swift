import RecordModel

/// A filter has a limited number of values, of the kind that its comparison needs.
///
/// Sources: the message about the limit in the Tact blog on reference queries; Apple's *CloudKit Web
/// Services Reference*, *Filter Dictionary*.
enum FilterRule {
  static func check(
    _ filter: QueryFilter, _ rules: QueryRules, container: String?
  ) throws(CloudError) {
    let count = filter.fieldValue.elements?.count ?? 1
    guard count <= rules.maxFilterValues else {
      throw CloudError(
        .limitExceeded,
        "Query filter exceeds the limit of values: \(rules.maxFilterValues) for container "
          + "'\(container ?? "")'")
    }
    guard let problem = problem(with: filter) else { return }
    throw CloudError(
      .invalidArguments,
      "the filter \(filter.comparator.rawValue) of '\(filter.fieldName)' needs \(problem)")
  }

  private static func problem(with filter: QueryFilter) -> String? {
    let isList = filter.fieldValue.elements != nil
    switch filter.comparator {
    case .near:
      guard case .location = filter.fieldValue, let distance = filter.distance, distance > 0 else {
        return "a location, and a distance in metres above 0"
      }
    case .containsAllTokens, .containsAnyTokens, .beginsWith, .notBeginsWith,
      .listMemberBeginsWith, .notListMemberBeginsWith:
      guard case .string = filter.fieldValue else { return "a string" }
    case .in, .notIn, .listContainsAny, .notListContainsAny, .listContainsAll,
      .notListContainsAll:
      guard isList else { return "a list" }
    case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals, .listContains,
      .notListContains:
      guard !isList else { return "a value that is no list" }
    case .equals, .notEquals: break
    }
    return nil
  }
}
