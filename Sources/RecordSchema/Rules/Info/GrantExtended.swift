extension SchemaRule {
  static let grantExtended = SchemaRule(
    id: "GRANT_EXTENDED", category: .info, defaultSeverity: .info,
    title: "A role has more permissions than in production",
    effect: """
      The creator of a record, or accounts with a role of the container, get more permissions in \
      the public database.
      """,
    remedy: "Check that this is intended.",
    evidence: [.textSchemaPage],
    check: .changedGrants(.deploy) { grant, type in
      guard !grant.gained.isEmpty, !Phrase.isOpenToMany(grant.name) else { return nil }
      return Note(
        "\(Phrase.role(grant.name)) may now \(Phrase.list(grant.gained.keywords)) records of '\(type)'"
      )
    })
}
