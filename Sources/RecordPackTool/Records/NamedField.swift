import RecordArchive
import RecordMigration
import RecordModel
import RecordSchema

/// A field that an option names.
struct NamedField {
  let name: String
  /// Where it is named, for messages: `--where, column 3`.
  let place: String
  /// The names of system values that the option takes too.
  var systemNames = QueryColumn.systemNames
  /// The system value that is meant if there is no such field.
  var systemName: String?

  init(
    name: String, place: String, systemNames: [String] = QueryColumn.systemNames,
    systemName: String? = nil
  ) {
    self.name = name
    self.place = place
    self.systemNames = systemNames
    self.systemName = systemName
  }

  static func fields(of expression: RecordExpression) -> [NamedField] {
    expression.fieldNames.sorted().map { name in
      let column = expression.column(ofField: name).map { ", column \($0)" } ?? ""
      return NamedField(
        name: name, place: "--where\(column)", systemNames: RecordExpression.systemNames,
        systemName: QueryColumn.nameInConditions(of: name))
    }
  }

  /// Returns the fields that a predicate compares.
  static func fields(of query: RecordQuery) -> [NamedField] {
    query.filters.filter { !$0.isAllText }.map { SystemField.schemaName($0.fieldName) }
      .filter { !$0.hasPrefix("___") }
      .map {
        NamedField(name: $0, place: "predicate", systemNames: SystemField.predicateNames)
      }
  }

  /// - Throws: `CommandError` for a name that neither the schema nor any record of the selection has, as
  ///   a typo would otherwise give an empty result.
  static func check(
    _ fields: [NamedField], in source: ArchiveSource, _ filter: RecordFilter
  ) throws {
    let types = try source.sections(filter).map(\.recordType)
    guard !fields.isEmpty, !types.isEmpty else { return }
    var known = NameSet([String]())
    if let schema = try source.info().schemaDocument(of: source.name)?.schema {
      for type in types {
        for field in schema.recordType(named: type)?.userFields ?? [] { known.insert(field.name) }
      }
    }
    var missing = fields.filter { !known.contains($0.name) }
    guard !missing.isEmpty else { return }
    // The schema may be older than the records.
    struct AllFound: Error {}
    var hasRecords = false
    do {
      try source.forEachRecord(filter) { record, _ in
        hasRecords = true
        for name in record.allKeys() where !known.contains(name) {
          known.insert(name)
          missing.removeAll { $0.name.sameScalars(as: name) }
        }
        if missing.isEmpty { throw AllFound() }
      }
    } catch is AllFound {
      return
    }
    // Without records and a schema, no name is known.
    guard let first = missing.first, hasRecords || !known.isEmpty else { return }
    let missingField = "\(first.place): no record of the selection has a field '\(first.name)'"
    if let systemName = first.systemName {
      throw CommandError("\(missingField); the system field is '\(systemName)' in conditions")
    }
    var near = NearNames(first.name)
    for name in known.names + first.systemNames where !name.sameScalars(as: first.name) {
      near.add(name)
    }
    let fields = known.isEmpty ? "none" : known.names.firstFew
    throw CommandError(
      missingField + (near.hint.isEmpty ? "; the fields are \(fields)" : near.hint))
  }
}
