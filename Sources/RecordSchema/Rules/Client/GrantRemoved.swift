extension SchemaRule {
  static let grantRemoved = SchemaRule(
    id: "GRANT_REMOVED", category: .client, defaultSeverity: .warning,
    title: "A role has fewer permissions than in production",
    effect: """
      Grants are part of the schema and are deployed with it. Operations on the public database \
      that rely on the permission fail. Private and shared databases have no roles.
      """,
    remedy: "Make sure that no version of the app in use needs the permission.",
    evidence: [
      .textSchemaPage, .server("Dispatch deploys grants with the schema; no refusal is reported"),
    ],
    check: .changedGrants(.deploy) { grant, type in
      guard !grant.lost.isEmpty else { return nil }
      return Note(
        "\(Phrase.role(grant.name)) may no longer \(Phrase.list(grant.lost.keywords)) records of "
          + "'\(type)'",
        hint: grant.to.permissions.isEmpty
          ? "the grant is removed completely"
          : "the remaining grant is GRANT \(grant.to.permissions)")
    })
}
