extension SchemaRule {
  static let roleRemoved = SchemaRule(
    "ROLE_REMOVED", .deploy, .warning,
    title: "A role of production is missing",
    effect: """
      Security roles are deployed with the schema. What happens to the accounts that have the role \
      when it goes, and whether production lets it go, nobody has reported.
      """,
    remedy: "Keep CREATE ROLE until you have tried the deployment in the Console.",
    evidence: [
      Evidence(.inference, "roles are part of what is deployed; no report of a removal was found")
    ],
    check: .comparison([.deploy]) { comparison, sink in
      for role in comparison.removedRoles {
        sink.report(
          .role(role.name), "the role '\(role.name)' is missing",
          hint: "whether production lets a role go is not known", former: role.origin?.name)
      }
    })
}
