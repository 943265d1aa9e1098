import RecordModel

extension Schema {
  /// Returns the schema in the order of Apple's export form: roles, types and fields sorted by
  /// ASCII, grants merged per role and sorted by role. Comments stay with their elements.
  public func canonicalized() -> Schema {
    var result = self
    result.roles = roles.sortedByName()
    result.recordTypes = recordTypes.sortedByName().map { $0.canonicalized() }
    return result
  }

  /// Returns the parts of the schema that the server keeps: in canonical order, without comments,
  /// with all six system fields and `Users`, and only the first of elements with the same name. Two
  /// schemas are equivalent if and only if their semantic forms are equal.
  public func semanticForm() -> Schema {
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
  func canonicalized() -> Self {
    var result = self
    result.fields = fields.sortedByName()
    result.grants = mergedGrants().sortedByName()
    return result
  }

  /// Returns one grant per role, in order of first occurrence. Comments of merged grants are kept.
  func mergedGrants() -> [Schema.Grant] {
    var merged: [Schema.Grant] = []
    var positions: [NameKey: Int] = [:]
    // Appended at the end, because a role may be granted thousands of times.
    var leading: [Int: [Schema.Comment]] = [:]
    for grant in grants {
      guard let position = positions[NameKey(grant.role)] else {
        positions[NameKey(grant.role)] = merged.count
        merged.append(grant)
        continue
      }
      merged[position].permissions.formUnion(grant.permissions)
      guard !grant.comments.isEmpty else { continue }
      let comments = grant.comments.leading + [grant.comments.trailing].compactMap { $0 }
      leading[position, default: []] += comments
    }
    for (position, comments) in leading { merged[position].comments.leading += comments }
    return merged
  }

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
