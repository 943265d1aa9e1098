import RecordModel

/// Carries changes out on a schema, finding each place by a dictionary.
struct SchemaPatch {
  private var schema: Schema
  private var positions: [ExactName: Int] = [:]
  private var removedRoles: Set<ExactName> = []
  private var removedTypes: Set<ExactName> = []
  private var removedFields: [ExactName: Set<ExactName>] = [:]
  private var fieldPositions: [ExactName: [ExactName: Int]] = [:]
  private var grants: [ExactName: [ExactName: Schema.Permissions]] = [:]

  init(_ schema: Schema) {
    self.schema = schema
    for (position, type) in schema.recordTypes.enumerated() {
      let name = ExactName(type.name)
      if positions[name] == nil { positions[name] = position }
    }
  }

  mutating func apply(_ change: SchemaChange) {
    switch change {
    case .roleAdded(let name): schema.roles.append(Schema.Role(name))
    case .roleRemoved(let name): removedRoles.insert(ExactName(name))
    case .recordTypeAdded(let type):
      positions[ExactName(type.name)] = schema.recordTypes.count
      schema.recordTypes.append(type)
    case .recordTypeRemoved(let type): removedTypes.insert(ExactName(type.name))
    case .fieldAdded(let type, let field):
      edit(ExactName(type)) { $0.fields.append(field) }
    case .fieldRemoved(let type, let field):
      removedFields[ExactName(type), default: []].insert(ExactName(field.name))
    case .fieldTypeChanged(let type, let field, _, let to):
      editField(ExactName(field), of: ExactName(type)) { $0.type = to }
    case .optionsChanged(let type, let field, _, let to):
      editField(ExactName(field), of: ExactName(type)) { $0.options = to }
    case .grantChanged(let type, let role, _, let to):
      edit(ExactName(type)) { _ in }
      grants[ExactName(type), default: [:]][ExactName(role)] = to
    }
  }

  func result() -> Schema {
    var schema = schema
    schema.roles.removeAll { removedRoles.contains(ExactName($0.name)) }
    schema.recordTypes.removeAll { removedTypes.contains(ExactName($0.name)) }
    for index in schema.recordTypes.indices {
      let name = ExactName(schema.recordTypes[index].name)
      if let removed = removedFields[name] {
        schema.recordTypes[index].fields.removeAll { removed.contains(ExactName($0.name)) }
      }
      if let changed = grants[name] { Self.set(changed, in: &schema.recordTypes[index]) }
    }
    return schema
  }

  private mutating func edit(_ type: ExactName, _ change: (inout Schema.RecordType) -> Void) {
    if positions[type] == nil, type.wrappedValue == SchemaNames.usersType {
      positions[type] = schema.recordTypes.count
      schema.recordTypes.append(.builtInUsers)
    }
    guard let position = positions[type] else { return }
    change(&schema.recordTypes[position])
  }

  private mutating func editField(
    _ name: ExactName, of type: ExactName, _ change: (inout Schema.Field) -> Void
  ) {
    // A system field that is not written comes into being when it changes.
    if let system = Schema.SystemField(rawValue: name.wrappedValue),
      position(ofField: name, in: type) == nil
    {
      fieldPositions[type]?[name] = positions[type].map { schema.recordTypes[$0].fields.count }
      edit(type) { $0.fields.append(Schema.Field(name.wrappedValue, system.type)) }
    }
    guard let position = position(ofField: name, in: type) else { return }
    edit(type) { change(&$0.fields[position]) }
  }

  private mutating func position(ofField name: ExactName, in type: ExactName) -> Int? {
    if let known = fieldPositions[type] { return known[name] }
    var found: [ExactName: Int] = [:]
    edit(type) { recordType in
      for (position, field) in recordType.fields.enumerated() {
        let name = ExactName(field.name)
        if found[name] == nil { found[name] = position }
      }
    }
    fieldPositions[type] = found
    return found[name]
  }

  /// Gives roles new permissions: the first grant to a role stays in its place, others go.
  private static func set(
    _ changed: [ExactName: Schema.Permissions], in type: inout Schema.RecordType
  ) {
    var open = changed.filter { !$0.value.isEmpty }
    type.grants = type.grants.compactMap { grant in
      guard changed[ExactName(grant.role)] != nil else { return grant }
      guard let permissions = open.removeValue(forKey: ExactName(grant.role)) else { return nil }
      var kept = grant
      kept.permissions = permissions
      return kept
    }
    for (role, permissions) in open.sorted(by: { $0.key < $1.key }) {
      type.grants.append(Schema.Grant(permissions, to: role.wrappedValue))
    }
  }
}
