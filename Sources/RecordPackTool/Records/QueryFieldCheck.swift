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

  /// A comparison that no known types of its sides meet.
  private struct Comparison {
    /// A side, with the types in the schema, and those of records.
    struct Side {
      /// The schema's name of a field, if the types are those of the field.
      let fieldName: String?
      let schemaTypes: Set<ValueType>
      var recordTypes: Set<ValueType> = []

      var types: Set<ValueType> { recordTypes.isEmpty ? schemaTypes : recordTypes }
    }

    let comparison: RecordCondition.Comparison
    /// The left side, and the right one if it is not a value.
    var sides: [Side]
    var isMet = false

    /// The first problem, by the names of types; nil if some types meet the comparison, and as long as no
    /// type is known.
    var problem: String? {
      var first: String?
      for left in sides[0].types.sorted(by: { $0.rawValue < $1.rawValue }) {
        for problem in problems(left) {
          guard let problem else { return nil }
          first = first ?? problem
        }
      }
      return first
    }

    private func problems(_ left: ValueType) -> [String?] {
      if let value = comparison.value {
        return [QueryFieldCheck.problem(of: value, comparison.comparator, with: left)]
      }
      guard let right = comparison.right, sides.count == 2 else { return [nil] }
      return sides[1].types.sorted { $0.rawValue < $1.rawValue }.map {
        QueryFieldCheck.problem(of: left, comparison.comparator, with: $0, of: right.term.name)
      }
    }

    /// Whether types of all sides are known.
    var isKnown: Bool { sides.allSatisfy { !$0.types.isEmpty } }
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
    for comparison in condition?.comparisons ?? [] { check.add(comparison) }
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

  private mutating func add(_ comparison: RecordCondition.Comparison) {
    if comparison.value?.elements?.isEmpty == true { return }
    var sides: [Comparison.Side] = []
    for side in [comparison.left, comparison.right].compactMap({ $0 }) {
      guard let side = self.side(side) else { return }
      sides.append(side)
    }
    let comparison = Comparison(comparison: comparison, sides: sides)
    if comparison.isKnown, comparison.problem == nil { return }
    comparisons.append(comparison)
  }

  /// Returns a side; nil if its types are never known.
  private func side(_ side: RecordCondition.Comparison.Side) -> Comparison.Side? {
    guard case .field(let name) = side.term else {
      return side.types.map { Comparison.Side(fieldName: nil, schemaTypes: $0) }
    }
    if SystemField.isSystem(name) {
      guard let system = SystemField(rawValue: name), system != .etag,
        let type = ValueType(system.type)
      else { return nil }
      return Comparison.Side(fieldName: nil, schemaTypes: [type])
    }
    let fields = parts.flatMap(\.fields).filter { $0.name.sameScalars(as: name) }
    return Comparison.Side(
      fieldName: name, schemaTypes: Set(fields.compactMap { ValueType($0.type) }))
  }

  private mutating func run(_ filter: RecordFilter) throws {
    let needsRecords = comparisons.contains { $0.sides.contains { $0.fieldName != nil } }
    var hasRecords = false
    if !missing.isEmpty || needsRecords {
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
      guard let problem = comparison.problem else { continue }
      let left = comparison.comparison.left
      throw CommandError("--where, column \(left.column): '\(left.term.name)' has \(problem)")
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
      var isNew = false
      for side in comparisons[index].sides.indices {
        guard let name = comparisons[index].sides[side].fieldName,
          let type = record.queryValue(of: name, withEncrypted: true)?.type
        else { continue }
        if comparisons[index].sides[side].recordTypes.insert(type).inserted { isNew = true }
      }
      guard isNew, comparisons[index].isKnown else { continue }
      comparisons[index].isMet = comparisons[index].problem == nil
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

  /// Why no value of a type meets a comparison with a value, after "has"; nil if one can.
  private static func problem(
    of value: RecordValue, _ comparator: QueryFilter.Comparator, with type: ValueType
  ) -> String? {
    let elements = value.elements
    if let misuse = misuse(of: comparator, for: type, isList: elements != nil) {
      return "the type \(type.rawValue), \(misuse)"
    }
    let misfit = (elements ?? [value]).first { !fits($0, type) }
    return misfit.map { problem(of: $0, with: type) }
  }

  /// Why no values of two types meet a comparison, after "has"; nil if some can.
  ///
  /// - Parameter name: The name of the other side.
  private static func problem(
    of type: ValueType, _ comparator: QueryFilter.Comparator, with other: ValueType,
    of name: String
  ) -> String? {
    if let misuse = misuse(of: comparator, for: type, isList: other.isList) {
      return "the type \(type.rawValue), \(misuse)"
    }
    if [.lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals].contains(comparator),
      let misuse = misuse(of: comparator, for: other, isList: type.isList)
    {
      return "the type \(type.rawValue), and '\(name)' has the type \(other.rawValue), \(misuse)"
    }
    let types: Set = [type, other]
    if types.count == 1 || types.contains(.emptyList) || types == [.int64, .double]
      || types == [.string, .timestamp] || types == [.string, .reference]
    {
      return nil
    }
    return "the type \(type.rawValue), with which '\(name)', of the type \(other.rawValue), "
      + "cannot be compared"
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
      if type == .location {
        return
          "which has no order; distanceToLocation:fromLocation:(field, location(60.17, 24.94)) "
          + "< 500 finds places within 500 m"
      }
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
