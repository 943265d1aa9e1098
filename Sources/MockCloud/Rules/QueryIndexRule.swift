import RecordModel
import RecordSchema

/// A query needs the indexes of the schema for what it compares, searches and sorts by.
///
/// Sources: the server's messages in IceCream #169 (`queryable`) and EVCloudKitDao #2 (`sortable`);
/// Apple's *Integrating a Text-Based Schema into Your Workflow*. A query without a filter needs the
/// record name to be queryable (MistKit). A filter on an encrypted field is rejected, a sort by it is not
/// (MistKit, `encrypted-fields-adp-probe`, live).
struct QueryIndexRule {
  let type: CloudSchema.RecordType
  let rules: QueryRules

  func check(_ query: RecordQuery) throws(CloudError) {
    if rules.enforcesIndexes { try checkType(query) }
    for filter in query.filters { try check(filter) }
    for sort in query.sort { try check(sort) }
  }

  private func checkType(_ query: RecordQuery) throws(CloudError) {
    guard type.fields.contains(where: { !$0.options.isEmpty }) else {
      throw CloudError(.invalidArguments, ServerMessage.typeNotIndexable(type.name))
    }
    let recordID = SystemField.recordID.rawValue
    if query.filters.isEmpty { try require([.queryable], of: recordID) }
  }

  private func check(_ filter: QueryFilter) throws(CloudError) {
    if filter.isAllText {
      guard type.fields.contains(where: { $0.options.contains(.searchable) }) else {
        throw CloudError(
          .invalidArguments, "no field of '\(type.name)' is marked searchable")
      }
      return
    }
    if let field = try QueriedFieldRule.field(named: filter.fieldName, of: type.name, type),
      field.type.isEncrypted
    {
      throw Self.encrypted(field.name, field.type, filter)
    }
    switch filter.comparator {
    case .containsAllTokens, .containsAnyTokens: try require([.searchable], of: filter.fieldName)
    case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals:
      try require(
        rules.rangesNeedSortable ? [.sortable] : [.queryable, .sortable], of: filter.fieldName)
    default: try require([.queryable], of: filter.fieldName)
    }
  }

  private func check(_ sort: QuerySort) throws(CloudError) {
    // A location cannot be sortable; results are sorted by their distance.
    try require([sort.relativeLocation == nil ? .sortable : .queryable], of: sort.fieldName)
  }

  /// - Parameter options: The indexes of which the field must have one; the error names the first.
  private func require(
    _ options: [CloudSchema.IndexOptions], of name: String
  ) throws(CloudError) {
    guard let field = try QueriedFieldRule.field(named: name, of: type.name, type) else { return }
    guard rules.enforcesIndexes, !field.type.isEncrypted,
      !options.contains(where: field.options.contains)
    else { return }
    throw refusal(field, options[0])
  }

  /// Returns the error for a filter on an encrypted field.
  static func encrypted(
    _ name: String, _ type: CloudSchema.FieldType, _ filter: QueryFilter
  ) -> CloudError {
    CloudError(
      .invalidArguments,
      "Field '\(name)' has a value type of \(type.serverName) and cannot be queried using filter "
        + "type \(filter.comparator.rawValue)")
  }

  private func refusal(
    _ field: CloudSchema.Field, _ option: CloudSchema.IndexOptions
  ) -> CloudError {
    let name = Self.serverName(field.name)
    let message =
      option == .queryable
      ? ServerMessage.notQueryable(name)
      : "Field '\(name)' is not marked \(option.description.lowercased())"
    return CloudError(.invalidArguments, message)
  }

  /// The server's own name of a system field, as far as it is known.
  private static func serverName(_ name: String) -> String {
    switch SystemField(rawValue: name) {
    case .recordID: "recordName"
    case .createdBy: "createdBy"
    default: name
    }
  }
}
