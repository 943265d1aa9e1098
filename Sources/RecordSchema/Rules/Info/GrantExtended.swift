extension SchemaRule {
  static let grantExtended = SchemaRule(
    "GRANT_EXTENDED", .info, .info,
    title: "A role may do more than in production",
    effect: """
      The creator of a record, or the accounts that have a role of the container, may do more in \
      the public database.
      """,
    remedy: "Make sure that this is meant.",
    evidence: [.textSchemaPage],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.types {
        for grant in type.grants where !RuleWords.isOpenToMany(grant.role) {
          let gained = grant.to.subtracting(grant.from)
          guard !gained.isEmpty else { continue }
          sink.report(
            .grant(to: grant.role, on: type.name),
            "\(RuleWords.role(grant.role)) may now \(RuleWords.list(gained.keywords)) "
              + "records of '\(type.name)'",
            at: grant.toOrigin?.name, former: grant.fromOrigin?.name)
        }
      }
    })
}
