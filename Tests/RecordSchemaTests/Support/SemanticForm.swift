import RecordModel

@testable import RecordSchema

extension Schema {
  /// Returns the parts of the schema that the server keeps: in canonical order, without comments,
  /// with all six system fields and `Users`, and only the first of elements with the same name. Two
  /// schemas are equivalent if and only if their semantic forms are equal: what `SchemaDiff` is
  /// checked against.
  func semanticForm() -> Schema {
    var seen: Set<NameKey> = []
    var types = recordTypes.filter { seen.insert(NameKey($0.name)).inserted }
      .map { $0.semanticForm() }
    if !seen.contains(NameKey(SchemaNames.usersType)) {
      types.append(RecordType.builtInUsers.semanticForm())
    }
    var seenRoles: Set<NameKey> = []
    let roles = self.roles.filter { seenRoles.insert(NameKey($0.name)).inserted }
      .map { Role($0.name) }
    return Schema(roles: roles.sortedByName(), recordTypes: types.sortedByName())
  }
}

extension Schema.RecordType {
  func semanticForm() -> Self {
    var seen: Set<NameKey> = []
    var fields: [Schema.Field] = []
    for field in self.fields where seen.insert(NameKey(field.name)).inserted {
      fields.append(Schema.Field(field.name, field.type, field.options))
    }
    for field in Schema.SystemField.allCases where !seen.contains(NameKey(field.rawValue)) {
      fields.append(Schema.Field(field.rawValue, field.type))
    }
    let grants = mergedGrants().filter { !$0.permissions.isEmpty }
      .map { Schema.Grant($0.permissions, to: $0.role) }
    return Schema.RecordType(
      name, fields: fields.sortedByName(), grants: grants.sortedByName())
  }
}
