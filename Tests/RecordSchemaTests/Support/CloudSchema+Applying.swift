import RecordModel
import RecordSchema

extension CloudSchema {
  /// Returns the schema with the changes applied. Comments of unchanged elements are kept.
  ///
  /// `a.applying(SchemaDiff(from: a, to: b))` is equivalent to `b`. Changes to elements that do not
  /// exist have no effect.
  func applying(_ diff: SchemaDiff) -> CloudSchema {
    diff.changes.reduce(into: self) { $0.apply($1) }
  }

  private mutating func apply(_ change: SchemaChange) {
    let subject = change.subject
    switch change {
    case .roleAdded(let role): roles.append(role)
    case .roleRemoved: roles.removeAll { $0.name.sameScalars(as: subject.role ?? "") }
    case .recordTypeAdded(let type): recordTypes.append(type)
    case .recordTypeRemoved:
      recordTypes.removeAll { $0.name.sameScalars(as: subject.recordType ?? "") }
    case .fieldAdded(_, let field): edit(subject) { $0.fields.append(field) }
    case .fieldRemoved(_, let field):
      edit(subject) { type in
        type.fields.removeAll { $0.name.sameScalars(as: field.name) }
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
    let name = subject.recordType ?? ""
    if name == SchemaNames.usersType, recordType(named: name) == nil {
      recordTypes.append(.builtInUsers)
    }
    guard let index = recordTypes.firstIndex(where: { $0.name.sameScalars(as: name) }) else {
      return
    }
    change(&recordTypes[index])
  }

  private mutating func editField(_ subject: SchemaSubject, _ change: (inout Field) -> Void) {
    let name = subject.field ?? ""
    edit(subject) { type in
      // A system field that the schema omits is added when it changes.
      if let system = SystemField(rawValue: name), type.field(named: name) == nil {
        type.fields.append(Field(name, system.type))
      }
      guard let index = type.fields.firstIndex(where: { $0.name.sameScalars(as: name) }) else {
        return
      }
      change(&type.fields[index])
    }
  }
}
