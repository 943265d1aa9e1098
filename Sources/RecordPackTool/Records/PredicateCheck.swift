import RecordArchive
import RecordModel
import RecordSchema
import RecordText

/// Finds comparisons of a predicate that no value of their field meets, because its values have
/// another type, or one that the operator is not for. They would give an empty result, as a typo
/// would.
struct PredicateCheck {
  let source: ArchiveSource
  let filter: RecordFilter

  /// - Throws: `CommandError` for a comparison that the field's type does not have.
  func check(_ query: RecordQuery) throws {
    for comparison in query.filters where !comparison.isAllText {
      if comparison.fieldValue.elements?.isEmpty == true { continue }
      func problem(_ type: ValueType) -> String? { Self.problem(of: comparison, with: type) }
      let types = try self.types(of: comparison.fieldName) { problem($0) == nil }
      if types.contains(where: { problem($0) == nil }) { continue }
      guard let type = types.min(by: { $0.rawValue < $1.rawValue }), let problem = problem(type)
      else { continue }
      let name = SystemField.predicateName(comparison.fieldName)
      throw CommandError("predicate: '\(name)' has \(problem)")
    }
  }

  /// Why no value of a type meets a comparison, after "has"; nil if one can.
  private static func problem(of comparison: QueryFilter, with type: ValueType) -> String? {
    let elements = comparison.fieldValue.elements
    if let misuse = misuse(of: comparison.comparator, for: type, isList: elements != nil) {
      return "the type \(type.rawValue), \(misuse)"
    }
    let misfit = (elements ?? [comparison.fieldValue]).first { !fits($0, type) }
    return misfit.map { problem(of: $0, with: type) }
  }

  /// The types that the field has; of the records, only up to one that fits.
  private func types(
    of fieldName: String, _ fits: (ValueType) -> Bool
  ) throws -> Set<ValueType> {
    let name = SystemField.schemaName(fieldName)
    if SystemField.isSystem(name) {
      guard let system = SystemField(rawValue: name), system != .etag else { return [] }
      return ValueType(system.type).map { [$0] } ?? []
    }
    var schemaTypes: Set<ValueType> = []
    if let schema = try source.info().schemaDocument(of: source.name)?.schema {
      for type in try source.sections(filter).map(\.recordType) {
        let field = schema.recordType(named: type)?.field(named: name)
        if let type = field.flatMap({ ValueType($0.type) }) { schemaTypes.insert(type) }
      }
      if schemaTypes.contains(where: fits) { return schemaTypes }
    }
    // The schema may be older than the records.
    struct Found: Error {}
    var types: Set<ValueType> = []
    do {
      try source.forEachRecord(filter) { record, _ in
        guard let type = record.queryValue(of: name)?.type, types.insert(type).inserted else {
          return
        }
        if fits(type) { throw Found() }
      }
    } catch is Found {}
    return types.isEmpty ? schemaTypes : types
  }

  /// What an operator does not do with values of a type; nil if it can be used.
  ///
  /// - Parameter isList: Whether the predicate's value is a list.
  private static func misuse(
    of comparator: QueryFilter.Comparator, for type: ValueType, isList: Bool
  ) -> String? {
    if type == .emptyList { return nil }
    switch comparator {
    case .listContains, .notListContains, .listContainsAny, .notListContainsAny,
      .listContainsAll, .notListContainsAll, .listMemberBeginsWith, .notListMemberBeginsWith:
      if !type.isList { return "and is not a list, as CONTAINS, ANY and 'value IN field' require" }
      let isPrefix = comparator == .listMemberBeginsWith || comparator == .notListMemberBeginsWith
      return isPrefix && type != .stringList ? "and BEGINSWITH is for texts" : nil
    case .equals, .notEquals:
      return type.isList && !isList ? "whose elements are compared by CONTAINS or ANY" : nil
    case .in, .notIn:
      return type.isList ? "whose elements are compared by CONTAINS or ANY" : nil
    case .beginsWith, .notBeginsWith:
      return type != .string ? "and BEGINSWITH is for texts" : nil
    case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals:
      if type.isList { return "whose elements are compared by CONTAINS or ANY" }
      return type == .reference ? "which has no order" : nil
    case .near:
      return type != .location ? "and the distance is for a LOCATION" : nil
    case .containsAllTokens, .containsAnyTokens:
      return type.single != .string ? "and tokens are searched in texts" : nil
    }
  }

  /// Whether a value of a predicate can be compared with values of a type, or their elements.
  private static func fits(_ value: RecordValue, _ type: ValueType) -> Bool {
    switch (value, type.single) {
    case (_, .emptyList): true
    case (.string(let text), .timestamp): DateInput.date(text) != nil
    case (.string, .string), (.string, .reference): true
    case (.int64, .int64), (.int64, .double), (.double, .int64), (.double, .double): true
    case (let value, let type): value.type == type
    }
  }

  private static func problem(of value: RecordValue, with type: ValueType) -> String {
    if case .string(let text) = value, type.single == .timestamp {
      return "dates, and '\(text)' is not one in ISO 8601, such as '2025-06-01' or "
        + "'2025-06-01T12:00:00Z'"
    }
    return "the type \(type.rawValue), with which the predicate's "
      + "\(value.type?.rawValue ?? "value") cannot be compared"
  }
}
