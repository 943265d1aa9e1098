extension SchemaRule {
  static let roleAdded = SchemaRule(
    id: "ROLE_ADDED", category: .info, defaultSeverity: .info,
    title: "A role was added",
    effect: """
      The role is deployed with the schema. Its assignment to accounts is not part of the schema: \
      assign it in the Console, separately for each environment.
      """,
    remedy: "Assign the role in production after the deployment.",
    evidence: [.textSchemaPage, .server("Dispatch, docs/moderation.md, on assigning roles")],
    check: .added(\.addedRoles, .deploy) { role in
      Note("the role '\(role.name)' was added; assign it in production")
    })
}
