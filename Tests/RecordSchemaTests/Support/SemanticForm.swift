import RecordModel

@testable import RecordSchema

extension CloudSchema {
  /// Returns the parts of the schema that the server keeps: in canonical order, without comments,
  /// with all six system fields and `Users`, and only the first of elements with the same name. Two
  /// schemas are equivalent if and only if their semantic forms are equal: what `SchemaDiff` is
  /// checked against.
  func semanticForm() -> CloudSchema {
    var seen: Set<ExactString> = []
    var types = recordTypes.filter { seen.insert(ExactString($0.name)).inserted }
      .map { $0.semanticForm() }
    if !seen.contains(ExactString(SchemaNames.usersType)) {
      types.append(RecordType.builtInUsers.semanticForm())
    }
    var seenRoles: Set<ExactString> = []
    let roles = self.roles.filter { seenRoles.insert(ExactString($0.name)).inserted }
      .map { Role($0.name) }
    return CloudSchema(roles: roles.sortedByName(), recordTypes: types.sortedByName())
  }
}

extension CloudSchema.RecordType {
  func semanticForm() -> Self {
    var seen: Set<ExactString> = []
    var fields: [CloudSchema.Field] = []
    for field in self.fields where seen.insert(ExactString(field.name)).inserted {
      fields.append(CloudSchema.Field(field.name, field.type, field.options))
    }
    for field in SystemField.allCases where !seen.contains(ExactString(field.rawValue)) {
      fields.append(CloudSchema.Field(field.rawValue, field.type))
    }
    let grants = mergedGrants().filter { !$0.permissions.isEmpty }
      .map { CloudSchema.Grant($0.permissions, to: $0.role) }
    return CloudSchema.RecordType(
      name, fields: fields.sortedByName(), grants: grants.sortedByName())
  }
}
