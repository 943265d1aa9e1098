import RecordArchive
import RecordModel
import RecordSchema
import RecordText

/// Finds comparisons of a predicate that no value of their field meets, because its values have
/// another type. They would give an empty result, as a typo would.
struct PredicateCheck {
  let source: ArchiveSource
  let filter: RecordFilter

  /// - Throws: `Failure` for a comparison with a value of another type than the field has.
  func check(_ query: RecordQuery) throws {
    for comparison in query.filters where !comparison.isAllText {
      for value in comparison.fieldValue.elements ?? [comparison.fieldValue] {
        let types = try self.types(of: comparison.fieldName, fitting: value)
        if types.contains(where: { Self.fits(value, $0) }) { continue }
        guard let type = types.min(by: { $0.rawValue < $1.rawValue }) else { continue }
        throw Self.failure(SystemFieldNames.predicateName(comparison.fieldName), type, value)
      }
    }
  }

  /// The types that the field has; of the records, only up to one that the value fits.
  private func types(
    of fieldName: String, fitting value: RecordValue
  ) throws -> Set<ValueType> {
    let name = SystemFieldNames.schemaName(fieldName)
    switch name {
    case "___createTime", "___modTime": return [.timestamp]
    case _ where SystemFieldNames.isSystem(name): return []
    default: break
    }
    var schemaTypes: Set<ValueType> = []
    if let schema = try source.info().schemaDocument(of: source.name)?.schema {
      for type in try source.sections(filter).map(\.recordType) {
        let field = schema.recordType(named: type)?.field(named: name)
        if let type = field.flatMap({ ValueType($0.type) }) { schemaTypes.insert(type) }
      }
      if schemaTypes.contains(where: { Self.fits(value, $0) }) { return schemaTypes }
    }
    // The schema may be older than the records.
    struct Found: Error {}
    var types: Set<ValueType> = []
    do {
      try source.forEachRecord(filter) { record, _ in
        guard let type = record.queryValue(of: name)?.type, types.insert(type).inserted else {
          return
        }
        if Self.fits(value, type) { throw Found() }
      }
    } catch is Found {}
    return types.isEmpty ? schemaTypes : types
  }

  /// Whether a value of a predicate can be compared with values of a type, or their elements.
  private static func fits(_ value: RecordValue, _ type: ValueType) -> Bool {
    switch (value, type.single) {
    case (_, .emptyList): true
    case (.string(let text), .timestamp): TypedDate.date(text) != nil
    case (.string, .string), (.string, .reference): true
    case (.int64, .int64), (.int64, .double), (.double, .int64), (.double, .double): true
    case (let value, let type): value.type == type
    }
  }

  private static func failure(
    _ name: String, _ type: ValueType, _ value: RecordValue
  ) -> Failure {
    if case .string(let text) = value, type.single == .timestamp {
      return Failure(
        "predicate: '\(name)' has dates, and '\(text)' is not one in ISO 8601, such as "
          + "'2025-06-01' or '2025-06-01T12:00:00Z'")
    }
    return Failure(
      "predicate: '\(name)' has the type \(type.rawValue), with which the predicate's "
        + "\(value.type?.rawValue ?? "value") cannot be compared")
  }
}
