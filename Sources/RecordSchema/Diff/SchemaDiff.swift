import RecordModel

/// The changes that turn one schema into the equivalent of another.
///
/// Order, comments and formatting are ignored, because the server does not keep them.
public struct SchemaDiff: Sendable, Hashable {
  /// The changes: roles, then removed and added record types, then changed types in order of their
  /// names.
  public let changes: [SchemaChange]

  /// Compares two schemas. Takes time linear in their size, plus sorting of names.
  public init(from: CloudSchema, to: CloudSchema) {
    changes = SchemaComparison(from: from, to: to).changes
  }

  /// Whether the schemas are equivalent.
  public var isEmpty: Bool { changes.isEmpty }
}

extension CloudSchema {
  /// Returns the schema with the changes applied. Comments of unchanged elements are kept.
  ///
  /// `a.applying(SchemaDiff(from: a, to: b))` is equivalent to `b`. Changes to elements that do not
  /// exist have no effect.
  public func applying(_ diff: SchemaDiff) -> CloudSchema {
    diff.changes.reduce(into: self) { $0.apply($1) }
  }

  private mutating func apply(_ change: SchemaChange) {
    let subject = change.subject
    switch change {
    case .roleAdded(let role): roles.append(role)
    case .roleRemoved: roles.removeAll { $0.subject == subject }
    case .recordTypeAdded(let type): recordTypes.append(type)
    case .recordTypeRemoved: recordTypes.removeAll { $0.subject == subject }
    case .fieldAdded(_, let field): edit(subject) { $0.fields.append(field) }
    case .fieldRemoved(_, let field):
      edit(subject) { type in
        type.fields.removeAll { $0.pairingName == field.pairingName }
      }
    case .fieldTypeChanged(_, _, let type): editField(subject) { $0.type = type }
    case .optionsChanged(_, _, let options): editField(subject) { $0.options = options }
    case .grantChanged(_, _, let permissions):
      edit(subject) { type in
        let role = subject.role ?? ""
        let first = type.grants.firstIndex { $0.role.sameScalars(as: role) }
        var grant = first.map { type.grants[$0] } ?? Grant([], to: role)
        grant.permissions = permissions
        type.grants.removeAll { $0.role.sameScalars(as: role) }
        if !permissions.isEmpty { type.grants.insert(grant, at: first ?? type.grants.count) }
      }
    }
  }

  private mutating func edit(_ subject: SchemaSubject, _ change: (inout RecordType) -> Void) {
    let name = ExactString(subject.recordType ?? "")
    if name.string == SchemaNames.usersType, recordType(named: name.string) == nil {
      recordTypes.append(.builtInUsers)
    }
    guard let index = recordTypes.firstIndex(where: { $0.pairingName == name }) else { return }
    change(&recordTypes[index])
  }

  private mutating func editField(_ subject: SchemaSubject, _ change: (inout Field) -> Void) {
    let name = ExactString(subject.field ?? "")
    edit(subject) { type in
      // A system field that the schema omits is added when it changes.
      if let system = SystemField(rawValue: name.string), type.field(named: name.string) == nil {
        type.fields.append(Field(name.string, system.type))
      }
      guard let index = type.fields.firstIndex(where: { $0.pairingName == name }) else { return }
      change(&type.fields[index])
    }
  }
}

/// A difference between two schemas, as the server sees it.
public enum SchemaChange: Sendable, Hashable {
  /// A role was added.
  case roleAdded(CloudSchema.Role)
  /// A role was removed.
  case roleRemoved(CloudSchema.Role)
  /// A record type was added.
  case recordTypeAdded(CloudSchema.RecordType)
  /// A record type was removed.
  case recordTypeRemoved(CloudSchema.RecordType)
  /// A field was added to a record type of both schemas.
  case fieldAdded(SchemaSubject, CloudSchema.Field)
  /// A field was removed from a record type of both schemas.
  case fieldRemoved(SchemaSubject, CloudSchema.Field)
  /// The type, encryption or number preference of a field changed.
  case fieldTypeChanged(SchemaSubject, from: CloudSchema.FieldType, to: CloudSchema.FieldType)
  /// The indexes of a field changed.
  case optionsChanged(SchemaSubject, from: CloudSchema.IndexOptions, to: CloudSchema.IndexOptions)
  /// The permissions of a role on a record type changed. An empty set means no grant.
  case grantChanged(SchemaSubject, from: CloudSchema.Permissions, to: CloudSchema.Permissions)

  /// The changed element.
  public var subject: SchemaSubject {
    switch self {
    case .roleAdded(let role), .roleRemoved(let role): role.subject
    case .recordTypeAdded(let type), .recordTypeRemoved(let type): type.subject
    case .fieldAdded(let subject, _), .fieldRemoved(let subject, _),
      .fieldTypeChanged(let subject, _, _), .optionsChanged(let subject, _, _),
      .grantChanged(let subject, _, _):
      subject
    }
  }
}
