extension SchemaRule {
  static let grantRemoved = SchemaRule(
    "GRANT_REMOVED", .client, .warning,
    title: "A role may do less than in production",
    effect: """
      Grants are part of the schema and are deployed with it. Apps that rely on the permission get \
      permission failures on the public database; private and shared databases do not know roles.
      """,
    remedy: "Make sure that no version of the app in use needs the permission.",
    evidence: [
      .textSchemaPage,
      Evidence(.server, "Dispatch deploys grants with the schema; no refusal is reported"),
    ],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.types {
        for grant in type.grants {
          let lost = grant.from.subtracting(grant.to)
          guard !lost.isEmpty else { continue }
          sink.report(
            .grant(to: grant.role, on: type.name),
            "\(RuleWords.role(grant.role)) may no longer \(RuleWords.list(lost.keywords)) "
              + "records of '\(type.name)'",
            hint: grant.to.isEmpty
              ? "the grant is gone as a whole" : "left is GRANT \(grant.to)",
            at: grant.toOrigin?.name, former: grant.fromOrigin?.name)
        }
      }
    })
}
