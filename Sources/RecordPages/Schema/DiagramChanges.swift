import RecordModel
import RecordSchema

/// The differences of two schemas, to be marked in a diagram.
package struct DiagramChanges: Sendable {
  /// The change of a type or field.
  package enum Change: String, Sendable {
    case added, removed, changed

    /// The sign in front of a changed field.
    var sign: String {
      switch self {
      case .added: "+"
      case .removed: "−"
      case .changed: "~"
      }
    }
  }

  /// The changes of types; a type is changed if a field or grant of it is.
  package private(set) var types: [ExactString: Change] = [:]
  /// The changes of fields, by type.
  package private(set) var fields: [ExactString: [ExactString: Change]] = [:]
  /// The former types of changed fields, in schema notation.
  package private(set) var former: [ExactString: [ExactString: String]] = [:]
  /// The types and fields of both schemas; those in both as in the newer one.
  package private(set) var schema: CloudSchema

  /// The types of the schema by their names.
  private var places: [ExactString: Int]

  package init(from: CloudSchema, to: CloudSchema) {
    schema = to
    places = Dictionary(
      to.recordTypes.enumerated().map { (ExactString($1.name), $0) },
      uniquingKeysWith: { first, _ in first })
    for change in SchemaDiff(from: from, to: to).changes { add(change) }
    for before in from.recordTypes where types[ExactString(before.name)] == .changed {
      let type = ExactString(before.name)
      for field in before.fields where fields[type]?[ExactString(field.name)] != nil {
        former[type, default: [:]][ExactString(field.name)] = field.diagramText
      }
    }
  }

  private mutating func add(_ change: SchemaChange) {
    guard let name = change.subject.recordType else { return }
    let type = ExactString(name)
    func mark(_ change: Change, _ field: CloudSchema.Field) {
      types[type] = .changed
      fields[type, default: [:]][ExactString(field.name)] = change
    }
    switch change {
    case .recordTypeAdded(let added):
      types[type] = .added
      for field in added.userFields { fields[type, default: [:]][ExactString(field.name)] = .added }
    case .recordTypeRemoved(let removed):
      types[type] = .removed
      schema.recordTypes.append(removed)
      for field in removed.userFields {
        fields[type, default: [:]][ExactString(field.name)] = .removed
      }
    case .fieldAdded(_, let field): mark(.added, field)
    case .fieldRemoved(_, let field):
      mark(.removed, field)
      if let place = places[type] { schema.recordTypes[place].fields.append(field) }
    case .fieldTypeChanged(let subject, _, _), .optionsChanged(let subject, _, _):
      mark(.changed, CloudSchema.Field(subject.field ?? "", .string))
    case .grantChanged: types[type] = .changed
    case .roleAdded, .roleRemoved: break
    }
  }
}

extension CloudSchema.Field {
  /// The type and indexes in schema notation: `STRING QUERYABLE`.
  var diagramText: String {
    options.isEmpty ? type.description : "\(type) \(options)"
  }
}
