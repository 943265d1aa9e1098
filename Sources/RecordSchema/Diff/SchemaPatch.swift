/// Carries changes out on a schema, finding each place by a dictionary.
struct SchemaPatch {
  private var schema: Schema
  private var positions: [String: Int] = [:]
  private var removedTypes: Set<String> = []
  private var removedFields: [String: Set<String>] = [:]
  private var fieldPositions: [String: [String: Int]] = [:]

  init(_ schema: Schema) {
    self.schema = schema
    for (position, type) in schema.recordTypes.enumerated() where positions[type.name] == nil {
      positions[type.name] = position
    }
  }

  mutating func apply(_ change: SchemaChange) {
    switch change {
    case .roleAdded(let name): schema.roles.append(Schema.Role(name))
    case .roleRemoved(let name): schema.roles.removeAll { $0.name == name }
    case .recordTypeAdded(let type):
      positions[type.name] = schema.recordTypes.count
      schema.recordTypes.append(type)
    case .recordTypeRemoved(let type): removedTypes.insert(type.name)
    case .fieldAdded(let type, let field):
      edit(type) { $0.fields.append(field) }
    case .fieldRemoved(let type, let field):
      removedFields[type, default: []].insert(field.name)
    case .fieldTypeChanged(let type, let field, _, let to):
      editField(field, of: type) { $0.type = to }
    case .optionsChanged(let type, let field, _, let to):
      editField(field, of: type) { $0.options = to }
    case .grantChanged(let type, let role, _, let to):
      edit(type) { Self.set(to, for: role, in: &$0) }
    }
  }

  func result() -> Schema {
    var schema = schema
    schema.recordTypes.removeAll { removedTypes.contains($0.name) }
    for index in schema.recordTypes.indices {
      guard let removed = removedFields[schema.recordTypes[index].name] else { continue }
      schema.recordTypes[index].fields.removeAll { removed.contains($0.name) }
    }
    return schema
  }

  private mutating func edit(_ type: String, _ change: (inout Schema.RecordType) -> Void) {
    if positions[type] == nil, type == SchemaNames.usersType {
      positions[type] = schema.recordTypes.count
      schema.recordTypes.append(.builtInUsers)
    }
    guard let position = positions[type] else { return }
    change(&schema.recordTypes[position])
  }

  private mutating func editField(
    _ name: String, of type: String, _ change: (inout Schema.Field) -> Void
  ) {
    // A system field that is not written comes into being when it changes.
    if let system = Schema.SystemField(rawValue: name), position(ofField: name, in: type) == nil {
      fieldPositions[type]?[name] = positions[type].map { schema.recordTypes[$0].fields.count }
      edit(type) { $0.fields.append(Schema.Field(name, system.type)) }
    }
    guard let position = position(ofField: name, in: type) else { return }
    edit(type) { change(&$0.fields[position]) }
  }

  private mutating func position(ofField name: String, in type: String) -> Int? {
    if let known = fieldPositions[type] { return known[name] }
    var found: [String: Int] = [:]
    edit(type) { recordType in
      for (position, field) in recordType.fields.enumerated() where found[field.name] == nil {
        found[field.name] = position
      }
    }
    fieldPositions[type] = found
    return found[name]
  }

  private static func set(
    _ permissions: Schema.Permissions, for role: String, in type: inout Schema.RecordType
  ) {
    let isKept = { (grant: Schema.Grant) in grant.role == role && !permissions.isEmpty }
    guard let position = type.grants.firstIndex(where: isKept) else {
      type.grants.removeAll { $0.role == role }
      if !permissions.isEmpty { type.grants.append(Schema.Grant(permissions, to: role)) }
      return
    }
    type.grants[position].permissions = permissions
    let kept = type.grants[position]
    type.grants.removeAll { $0.role == role }
    type.grants.insert(kept, at: min(position, type.grants.count))
  }
}
