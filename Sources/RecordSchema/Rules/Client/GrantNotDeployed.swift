extension SchemaRule {
  static let grantNotDeployed = SchemaRule(
    "GRANT_NOT_DEPLOYED", .client, .warning,
    title: "The app needs a permission that production does not give",
    effect: """
      Operations on the public database that need the permission end in permission failures. \
      Private and shared databases do not know roles.
      """,
    remedy: "Deploy the schema before the app is released.",
    evidence: [
      .textSchemaPage, Evidence(.server, "Dispatch deploys grants with the schema"),
    ],
    check: .comparison([.drift]) { comparison, sink in
      for type in comparison.types {
        for grant in type.grants {
          let missing = grant.to.subtracting(grant.from)
          guard !missing.isEmpty else { continue }
          sink.report(
            .grant(to: grant.role, on: type.name),
            "in production \(RuleWords.role(grant.role)) may not "
              + "\(RuleWords.list(missing.keywords, "or")) records of '\(type.name)'",
            hint: "deploy the schema before the app is released", at: grant.toOrigin?.name,
            former: grant.fromOrigin?.name)
        }
      }
    })
}
