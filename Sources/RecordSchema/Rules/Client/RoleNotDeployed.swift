extension SchemaRule {
  static let roleNotDeployed = SchemaRule(
    "ROLE_NOT_DEPLOYED", .client, .warning,
    title: "The app needs a role that production does not have",
    effect: """
      Nobody can have the role in production before it is deployed, and who has it is set for each \
      environment by itself.
      """,
    remedy: "Deploy the schema, then assign the role in the Console for production.",
    evidence: [
      Evidence(.server, "Dispatch, docs/moderation.md: assignment is not expressible in the schema")
    ],
    check: .comparison([.drift]) { comparison, sink in
      for role in comparison.addedRoles {
        sink.report(
          .role(role.name), "production has no role '\(role.name)'",
          hint: "deploy the schema, then assign the role in the Console", at: role.origin?.name)
      }
    })
}
