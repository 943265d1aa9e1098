import RecordModel

extension SchemaRule {
  static let duplicateGrant = SchemaRule(
    id: "DUPLICATE_GRANT", category: .validate, defaultSeverity: .info,
    title: "A role has several grants on one type",
    effect: "The grants are combined. Exports have one grant per role.",
    remedy: "Merge them; recordpack schema print --write does so.",
    evidence: [.corpus("four hand-written schemas that were imported have it")],
    check: .schema { document, sink in
      for type in document.schema.recordTypes {
        var seen: Set<NameKey> = []
        var together: [NameKey: CloudSchema.Permissions] = [:]
        for grant in type.grants {
          together[NameKey(grant.role), default: []].formUnion(grant.permissions)
        }
        for grant in type.grants where !seen.insert(NameKey(grant.role)).inserted {
          sink.report(
            .grant(to: grant.role, on: type.name),
            "'\(type.name)' has another grant to '\(grant.role)'",
            hint: "combined, they are GRANT \(together[NameKey(grant.role)] ?? [])",
            at: grant.origin?.detail)
        }
      }
    })
}
