import RecordModel

extension CloudSchema {
  /// Returns the schema in the order of Apple's export form: roles, types and fields sorted by
  /// ASCII, grants merged per role and sorted by role. Comments stay with their elements.
  public func canonicalized() -> CloudSchema {
    var result = self
    result.roles = roles.sortedByName()
    result.recordTypes = recordTypes.sortedByName().map { $0.canonicalized() }
    return result
  }
}

extension CloudSchema.RecordType {
  func canonicalized() -> Self {
    var result = self
    result.fields = fields.sortedByName()
    result.grants = mergedGrants().sortedByName()
    return result
  }

  /// Returns one grant per role, in order of first occurrence. Comments of merged grants are kept.
  func mergedGrants() -> [CloudSchema.Grant] {
    var merged: [CloudSchema.Grant] = []
    var positions: [NameKey: Int] = [:]
    // Appended at the end, because a role may be granted thousands of times.
    var leading: [Int: [CloudSchema.Comment]] = [:]
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
}
