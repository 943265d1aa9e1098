import RecordArchive
import RecordMigration
import RecordModel
import RecordSchema
import RecordText

/// A field that an option names.
struct NamedField {
  let name: String
  /// Where it is named, for messages: `--where, column 3`.
  let place: String
  /// The names of system values that the option takes too.
  var systemNames = RecordProperty.names

  /// Returns the fields that a condition reads.
  static func fields(of condition: RecordCondition) -> [NamedField] {
    condition.fields.map { field in
      NamedField(
        name: field.name, place: "--where, column \(field.column)",
        systemNames: RecordCondition.systemNames)
    }
  }
}

/// Finds names of fields that no record has, and comparisons of a condition that no value of their
/// field meets. Both would give an empty result, as a typo would.
///
/// A schema decides most questions. Else records are read, once, up to the one that decides the last.
struct QueryFieldCheck {
  /// A source, with the record types that the filter selects in it.
  private struct Part {
    let source: ArchiveSource
    let schema: CloudSchema?
    let recordTypes: [String]
    let view: ObjectView

    init(_ source: ArchiveSource, _ view: ObjectView, _ filter: RecordFilter) throws {
      (self.source, self.view) = (source, view)
      recordTypes = try source.sections(filter).map(\.recordType)
      schema = try source.info().schemaDocument(of: source.name)?.schema
    }

    /// The fields that the schema has, under the names that records are shown with.
    var fields: [CloudSchema.Field] { recordTypes.flatMap(fields(of:)) }

    private func fields(of type: String) -> [CloudSchema.Field] {
      let fields = schema?.recordType(named: type)?.userFields ?? []
      guard view.hasObjects, CoreDataNames.isMirrored(type), !CoreDataNames.isLink(type) else {
        return fields
      }
      return fields.compactMap { field in
        if field.name == CoreDataNames.entityNameField { return nil }
        var field = field
        field.name = CoreDataNames.attributeName(field.name) ?? field.name
        return field
      }
    }
  }

  private let parts: [Part]
  private var known = NameSet([String]())
  private var missing: [NamedField] = []
  private var comparisons: [Comparison] = []

  /// A comparison that no known type of its field meets.
  private struct Comparison {
    let filter: QueryFilter
    let column: Int
    let name: String
    /// The types in the schema, and those of records.
    let schemaTypes: Set<ValueType>
    var types: Set<ValueType> = []
    var isMet = false
  }

  /// - Parameter sources: The sources, and how their records are shown. One of them has to have each
  ///   name.
  /// - Throws: `CommandError` for a name or comparison that no record of the selection meets.
  static func check(
    _ fields: [NamedField], _ condition: RecordCondition?,
    in sources: [(ArchiveSource, ObjectView)], _ filter: RecordFilter
  ) throws {
    var check = try QueryFieldCheck(sources, filter)
    check.add(fields)
    for (filter, column) in condition?.comparisons ?? [] where !filter.isAllText {
      check.add(filter, column)
    }
    try check.run(filter)
  }

  private init(_ sources: [(ArchiveSource, ObjectView)], _ filter: RecordFilter) throws {
    parts = try sources.map { try Part($0, $1, filter) }
    for part in parts {
      for field in part.fields { known.insert(field.name) }
    }
  }

  private mutating func add(_ fields: [NamedField]) {
    if parts.allSatisfy(\.recordTypes.isEmpty) { return }
    missing = fields.filter { !known.contains($0.name) }
  }

  private mutating func add(_ filter: QueryFilter, _ column: Int) {
    if filter.fieldValue.elements?.isEmpty == true { return }
    let name = SystemField.schemaName(filter.fieldName)
    var types: Set<ValueType> = []
    if SystemField.isSystem(name) {
      guard let system = SystemField(rawValue: name), system != .etag,
        let type = ValueType(system.type)
      else { return }
      types = [type]
    } else {
      for field in parts.flatMap(\.fields) where field.name.sameScalars(as: name) {
        if let type = ValueType(field.type) { types.insert(type) }
      }
    }
    if types.contains(where: { Self.problem(of: filter, with: $0) == nil }) { return }
    comparisons.append(
      Comparison(filter: filter, column: column, name: name, schemaTypes: types))
  }

  private mutating func run(_ filter: RecordFilter) throws {
    let isSystem = comparisons.allSatisfy { SystemField.isSystem($0.name) }
    var hasRecords = false
    if !missing.isEmpty || !isSystem {
      // The schema may be older than the records.
      for part in parts {
        let isOpen = try part.source.readRecords(filter) { record, database in
          hasRecords = true
          add(part.view.shown(record, database))
          return !missing.isEmpty || comparisons.contains { !$0.isMet }
        }
        if !isOpen { break }
      }
    }
    // Without records and a schema, no name is known.
    if let first = missing.first, hasRecords || !known.isEmpty { throw unknown(first) }
    for comparison in comparisons where !comparison.isMet {
      let types = comparison.types.isEmpty ? comparison.schemaTypes : comparison.types
      guard let type = types.min(by: { $0.rawValue < $1.rawValue }),
        let problem = Self.problem(of: comparison.filter, with: type)
      else { continue }
      let name = SystemField.predicateName(comparison.filter.fieldName)
      throw CommandError("--where, column \(comparison.column): '\(name)' has \(problem)")
    }
  }

  private mutating func add(_ record: ResultRecord) {
    if !missing.isEmpty {
      for name in record.allKeys() where !known.contains(name) {
        known.insert(name)
        missing.removeAll { $0.name.sameScalars(as: name) }
      }
    }
    for index in comparisons.indices where !comparisons[index].isMet {
      guard let type = record.queryValue(of: comparisons[index].name, withEncrypted: true)?.type,
        comparisons[index].types.insert(type).inserted
      else { continue }
      comparisons[index].isMet = Self.problem(of: comparisons[index].filter, with: type) == nil
    }
  }

  private func unknown(_ field: NamedField) -> CommandError {
    let message = "\(field.place): no record of the selection has a field '\(field.name)'"
    var near = NearNames(field.name)
    for name in known.names + field.systemNames where !name.sameScalars(as: field.name) {
      near.add(name)
    }
    let fields = known.isEmpty ? "none" : known.names.firstFew
    return CommandError(message + (near.hint.isEmpty ? "; the fields are \(fields)" : near.hint))
  }

  // MARK: Types

  /// Why no value of a type meets a comparison, after "has"; nil if one can.
  private static func problem(of comparison: QueryFilter, with type: ValueType) -> String? {
    let elements = comparison.fieldValue.elements
    if let misuse = misuse(of: comparison.comparator, for: type, isList: elements != nil) {
      return "the type \(type.rawValue), \(misuse)"
    }
    let misfit = (elements ?? [comparison.fieldValue]).first { !fits($0, type) }
    return misfit.map { problem(of: $0, with: type) }
  }

  /// Why an operator cannot be used with values of a type; nil if it can.
  ///
  /// - Parameter isList: Whether the condition's value is a list.
  private static func misuse(
    of comparator: QueryFilter.Comparator, for type: ValueType, isList: Bool
  ) -> String? {
    if type == .emptyList { return nil }
    switch comparator {
    case .listContains, .notListContains, .listContainsAny, .notListContainsAny,
      .listContainsAll, .notListContainsAll, .listMemberBeginsWith, .notListMemberBeginsWith:
      if !type.isList {
        return "and is not a list, as CONTAINS, ANY and 'value IN field' require"
          + (type == .string ? "; contains(field, 'text') finds a part of a text" : "")
      }
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

  /// Whether a value of a condition can be compared with values of a type, or their elements.
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
    return "the type \(type.rawValue), with which the condition's "
      + "\(value.type?.rawValue ?? "value") cannot be compared"
  }
}
