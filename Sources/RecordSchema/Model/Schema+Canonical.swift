extension Schema {
  /// The schema in the order of Apple's export form: roles, types and fields by ASCII, grants merged
  /// to one a role and sorted by role. Comments stay with their elements.
  public func canonicalized() -> Schema {
    var result = self
    result.roles = roles.sortedByName()
    result.recordTypes = recordTypes.sortedByName().map { $0.canonicalized() }
    return result
  }

  /// What the server keeps of the schema: canonical order, no comments, all six system fields
  /// written out, `Users` there, elements named twice reduced to the first. Two schemas mean the
  /// same exactly if their semantic forms are equal.
  public func semanticForm() -> Schema {
    var seen: Set<String> = []
    var types = recordTypes.filter { seen.insert($0.name).inserted }.map { $0.semanticForm() }
    if !seen.contains(SchemaNames.usersType) {
      types.append(RecordType.builtInUsers.semanticForm())
    }
    types.sort { $0.name < $1.name }
    var seenRoles: Set<String> = []
    let roles = self.roles.filter { seenRoles.insert($0.name).inserted }.map { Role($0.name) }
    return Schema(roles: roles.sorted { $0.name < $1.name }, recordTypes: types)
  }
}

extension Schema.RecordType {
  func canonicalized() -> Self {
    var result = self
    result.fields = fields.sortedByName()
    result.grants = mergedGrants().sortedByName()
    return result
  }

  /// One grant a role, in order of first mention; comments of merged grants are kept.
  func mergedGrants() -> [Schema.Grant] {
    var merged: [Schema.Grant] = []
    var positions: [String: Int] = [:]
    for grant in grants {
      guard let position = positions[grant.role] else {
        positions[grant.role] = merged.count
        merged.append(grant)
        continue
      }
      merged[position].permissions.formUnion(grant.permissions)
      merged[position].comments.leading += grant.comments.leading
      if let trailing = grant.comments.trailing {
        merged[position].comments.leading.append(trailing)
      }
    }
    return merged
  }

  func semanticForm() -> Self {
    var seen: Set<String> = []
    var fields: [Schema.Field] = []
    for field in self.fields where seen.insert(field.name).inserted {
      fields.append(Schema.Field(field.name, field.type, field.options))
    }
    for field in Schema.SystemField.allCases where !seen.contains(field.rawValue) {
      fields.append(Schema.Field(field.rawValue, field.type))
    }
    fields.sort { $0.name < $1.name }
    let grants = mergedGrants().filter { !$0.permissions.isEmpty }
      .map { Schema.Grant($0.permissions, to: $0.role) }
    return Schema.RecordType(name, fields: fields, grants: grants.sorted { $0.role < $1.role })
  }
}
