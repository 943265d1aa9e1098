extension SchemaRule {
  static let roleNotDeployed = SchemaRule(
    id: "ROLE_NOT_DEPLOYED", category: .client, defaultSeverity: .warning,
    title: "The app needs a role that production does not have",
    effect: """
      No account can have the role in production before it is deployed. Roles are assigned to \
      accounts separately in each environment.
      """,
    remedy: "Deploy the schema, then assign the role in the Console for production.",
    evidence: [
      .server("Dispatch, docs/moderation.md: assignment is not expressible in the schema")
    ],
    check: .added(\.addedRoles, .drift) { role in
      Note(
        "production has no role '\(role.name)'",
        hint: "deploy the schema, then assign the role in the Console")
    })
}
