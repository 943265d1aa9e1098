import RecordModel

/// Applies changes to a schema, finding each element by dictionary lookup.
struct SchemaPatch {
  private var schema: Schema
  private var positions: [NameKey: Int] = [:]
  private var removedRoles: Set<NameKey> = []
  private var removedTypes: Set<NameKey> = []
  private var removedFields: [NameKey: Set<NameKey>] = [:]
  private var fieldPositions: [NameKey: [NameKey: Int]] = [:]
  private var grants: [NameKey: [NameKey: Schema.Permissions]] = [:]

  init(_ schema: Schema) {
    self.schema = schema
    for (position, type) in schema.recordTypes.enumerated() {
      let name = NameKey(type.name)
      if positions[name] == nil { positions[name] = position }
    }
  }

  mutating func apply(_ change: SchemaChange) {
    switch change {
    case .roleAdded(let name): schema.roles.append(Schema.Role(name))
    case .roleRemoved(let name): removedRoles.insert(NameKey(name))
    case .recordTypeAdded(let type):
      positions[NameKey(type.name)] = schema.recordTypes.count
      schema.recordTypes.append(type)
    case .recordTypeRemoved(let type): removedTypes.insert(NameKey(type.name))
    case .fieldAdded(let type, let field):
      edit(NameKey(type)) { $0.fields.append(field) }
    case .fieldRemoved(let type, let field):
      removedFields[NameKey(type), default: []].insert(NameKey(field.name))
    case .fieldTypeChanged(let type, let field, _, let to):
      editField(NameKey(field), of: NameKey(type)) { $0.type = to }
    case .optionsChanged(let type, let field, _, let to):
      editField(NameKey(field), of: NameKey(type)) { $0.options = to }
    case .grantChanged(let type, let role, _, let to):
      edit(NameKey(type)) { _ in }
      grants[NameKey(type), default: [:]][NameKey(role)] = to
    }
  }

  func result() -> Schema {
    var schema = schema
    schema.roles.removeAll { removedRoles.contains(NameKey($0.name)) }
    schema.recordTypes.removeAll { removedTypes.contains(NameKey($0.name)) }
    for index in schema.recordTypes.indices {
      let name = NameKey(schema.recordTypes[index].name)
      if let removed = removedFields[name] {
        schema.recordTypes[index].fields.removeAll { removed.contains(NameKey($0.name)) }
      }
      if let changed = grants[name] { Self.set(changed, in: &schema.recordTypes[index]) }
    }
    return schema
  }

  private mutating func edit(_ type: NameKey, _ change: (inout Schema.RecordType) -> Void) {
    if positions[type] == nil, type.string == SchemaNames.usersType {
      positions[type] = schema.recordTypes.count
      schema.recordTypes.append(.builtInUsers)
    }
    guard let position = positions[type] else { return }
    change(&schema.recordTypes[position])
  }

  private mutating func editField(
    _ name: NameKey, of type: NameKey, _ change: (inout Schema.Field) -> Void
  ) {
    // A system field that the schema omits is added when it changes.
    if let system = Schema.SystemField(rawValue: name.string),
      position(ofField: name, in: type) == nil
    {
      fieldPositions[type]?[name] = positions[type].map { schema.recordTypes[$0].fields.count }
      edit(type) { $0.fields.append(Schema.Field(name.string, system.type)) }
    }
    guard let position = position(ofField: name, in: type) else { return }
    edit(type) { change(&$0.fields[position]) }
  }

  private mutating func position(ofField name: NameKey, in type: NameKey) -> Int? {
    if let known = fieldPositions[type] { return known[name] }
    var found: [NameKey: Int] = [:]
    edit(type) { recordType in
      for (position, field) in recordType.fields.enumerated() {
        let name = NameKey(field.name)
        if found[name] == nil { found[name] = position }
      }
    }
    fieldPositions[type] = found
    return found[name]
  }

  /// Sets the permissions of roles. The first grant to a role keeps its position; others are
  /// removed.
  private static func set(
    _ changed: [NameKey: Schema.Permissions], in type: inout Schema.RecordType
  ) {
    var open = changed.filter { !$0.value.isEmpty }
    type.grants = type.grants.compactMap { grant in
      guard changed[NameKey(grant.role)] != nil else { return grant }
      guard let permissions = open.removeValue(forKey: NameKey(grant.role)) else { return nil }
      var kept = grant
      kept.permissions = permissions
      return kept
    }
    for (role, permissions) in open.sorted(by: { $0.key < $1.key }) {
      type.grants.append(Schema.Grant(permissions, to: role.string))
    }
  }
}
