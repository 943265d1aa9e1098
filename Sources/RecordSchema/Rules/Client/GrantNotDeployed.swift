extension SchemaRule {
  static let grantNotDeployed = SchemaRule(
    id: "GRANT_NOT_DEPLOYED", category: .client, defaultSeverity: .warning,
    title: "The app needs a permission that production does not give",
    effect: """
      Operations on the public database that need the permission fail. Private and shared \
      databases have no roles.
      """,
    remedy: "Deploy the schema before the app is released.",
    evidence: [.textSchemaPage, .server("Dispatch deploys grants with the schema")],
    check: .changedGrants(.drift) { grant, type in
      guard !grant.gained.isEmpty else { return nil }
      return Note(
        "in production \(Phrase.role(grant.name)) may not "
          + "\(Phrase.list(grant.gained.keywords, "or")) records of '\(type)'",
        hint: "deploy the schema before the app is released")
    })
}
