extension SchemaRule {
  static let grantAdded = SchemaRule(
    "GRANT_ADDED", .security, .warning,
    title: "Anyone, or any account, may create or write more",
    effect: """
      The public database lets every account (_icloud) or everyone (_world) create records, or \
      change and delete those of others. What CloudKit grants by itself on a new type is not \
      reported: WRITE to the creator, CREATE to any account, READ to anyone.
      """,
    remedy: "Make sure that this is meant; a role of its own is safer.",
    evidence: [
      .textSchemaPage,
      Evidence(.corpus, "MistDemo opened a type for writing by any account in one commit"),
    ],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.types {
        for grant in type.grants {
          reportOpening(
            of: type.name, to: grant.role, grant.to.subtracting(grant.from), isNew: false,
            at: grant.toOrigin?.name, in: &sink)
        }
      }
      for type in comparison.addedTypes {
        for grant in type.mergedGrants() {
          let usual = Schema.Grant.defaults.first { $0.role == grant.role }?.permissions ?? []
          reportOpening(
            of: type.name, to: grant.role, grant.permissions.subtracting(usual), isNew: true,
            at: grant.origin?.name, in: &sink)
        }
      }
    })

  private static func reportOpening(
    of type: String, to role: String, _ gained: Schema.Permissions, isNew: Bool,
    at span: SourceSpan?, in sink: inout FindingSink
  ) {
    let serious = gained.intersection([.create, .write])
    guard RuleWords.isOpenToMany(role), !serious.isEmpty else { return }
    sink.report(
      .grant(to: role, on: type),
      "\(RuleWords.role(role)) may now \(RuleWords.list(serious.keywords)) records of "
        + (isNew ? "the new type '\(type)'" : "'\(type)'"),
      hint: serious.contains(.write)
        ? "WRITE covers changing and deleting the records of others" : nil, at: span)
  }
}
