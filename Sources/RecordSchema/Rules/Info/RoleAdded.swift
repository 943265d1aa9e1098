extension SchemaRule {
  static let roleAdded = SchemaRule(
    "ROLE_ADDED", .info, .info,
    title: "A role is new",
    effect: """
      The role is deployed with the schema. Who has it is no part of the schema: it is assigned in \
      the Console, for each environment by itself.
      """,
    remedy: "Assign the role in production after the deployment.",
    evidence: [
      .textSchemaPage, Evidence(.server, "Dispatch, docs/moderation.md, on assigning roles"),
    ],
    check: .comparison([.deploy]) { comparison, sink in
      for role in comparison.addedRoles {
        sink.report(
          .role(role.name), "the role '\(role.name)' is new; assign it in production",
          at: role.origin?.name)
      }
    })
}
