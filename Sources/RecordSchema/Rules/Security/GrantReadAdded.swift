extension SchemaRule {
  static let grantReadAdded = SchemaRule(
    id: "GRANT_READ_ADDED", category: .security, defaultSeverity: .note,
    title: "Anyone, or any account, may read records that were not readable before",
    effect: """
      Every record of the type in the public database, including existing ones, becomes readable \
      for every account (_icloud) or everyone (_world).
      """,
    remedy: "Check that no stored record is private.",
    evidence: [.textSchemaPage],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.types {
        for grant in type.grants
        where Phrase.isOpenToMany(grant.name) && grant.gained.contains(.read) {
          sink.report(
            .grant(to: grant.name, on: type.name),
            "\(Phrase.role(grant.name)) may now READ records of '\(type.name)'",
            at: grant.to.nameSpan)
        }
      }
    })
}
