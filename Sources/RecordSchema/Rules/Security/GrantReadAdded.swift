extension SchemaRule {
  static let grantReadAdded = SchemaRule(
    "GRANT_READ_ADDED", .security, .note,
    title: "Anyone, or any account, may now read records that were closed to them",
    effect: """
      Every record of the type in the public database can be read by every account (_icloud) or by \
      everyone (_world), those that are already stored too.
      """,
    remedy: "Make sure that nothing in the stored records is private.",
    evidence: [.textSchemaPage],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.types {
        for grant in type.grants where RuleWords.isOpenToMany(grant.role) {
          guard grant.to.contains(.read), !grant.from.contains(.read) else { continue }
          sink.report(
            .grant(to: grant.role, on: type.name),
            "\(RuleWords.role(grant.role)) may now READ records of '\(type.name)'",
            at: grant.toOrigin?.name)
        }
      }
    })
}
