import RecordModel

extension SchemaRule {
  static let grantUndeclaredRole = SchemaRule(
    id: "GRANT_UNDECLARED_ROLE", category: .validate, defaultSeverity: .error,
    title: "A grant names a role that does not exist",
    effect: """
      A role must be built-in (_creator, _icloud, _world) or created by CREATE ROLE in the same \
      file.
      """,
    remedy: "Correct the name, or create the role.",
    evidence: [.inference("every role in a real schema is built in or created in the same file")],
    check: .schema { document, sink in
      let known = Set(SchemaNames.builtInRoles.map { NameKey($0) })
        .union(document.schema.roles.map { NameKey($0.name) })
      // With many roles, no suggestion is computed, because it would take time for each grant.
      let candidates = known.count <= 64 ? known.sorted().map(\.string) : []
      for type in document.schema.recordTypes {
        for grant in type.grants where !known.contains(NameKey(grant.role)) {
          sink.report(
            .grant(to: grant.role, on: type.name),
            "'\(type.name)' grants \(grant.permissions) to the role '\(grant.role)', which the "
              + "schema does not create",
            hint: SchemaHints.nearest(to: grant.role, among: candidates)
              ?? "add CREATE ROLE before the record types", at: grant.origin?.name)
        }
      }
    })
}
