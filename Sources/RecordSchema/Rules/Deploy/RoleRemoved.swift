extension SchemaRule {
  static let roleRemoved = SchemaRule(
    id: "ROLE_REMOVED", category: .deploy, defaultSeverity: .warning,
    title: "A role of production is missing",
    effect: """
      Security roles are deployed with the schema. Whether production accepts the removal, and \
      what happens to the accounts with the role, has not been reported.
      """,
    remedy: "Keep CREATE ROLE until you have tested the deployment in the Console.",
    evidence: [.inference("roles are part of what is deployed; no report of a removal was found")],
    check: .removed(\.removedRoles, .deploy) { role in
      Note(
        "the role '\(role.name)' is missing",
        hint: "production may not accept the removal of a role")
    })
}
