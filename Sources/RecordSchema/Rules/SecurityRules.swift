extension SchemaRule {
  static let grantAdded = SchemaRule(
    id: "GRANT_ADDED", category: .security, defaultSeverity: .warning,
    title: "Anyone, or any account, may create or modify more",
    effect: """
      Every account (_icloud) or everyone (_world) may create records in the public database, or \
      modify and delete those of others. CloudKit's default grants on a new type are not reported: \
      WRITE for the creator, CREATE for any account, READ for anyone.
      """,
    remedy: "Check that this is intended; a separate role is safer.",
    evidence: [
      .textSchemaPage, .corpus("MistDemo opened a type for writing by any account in one commit"),
    ],
    check: .comparison([.deploy]) { comparison, findings in
      for type in comparison.types {
        for grant in type.grants {
          reportOpening(
            of: type.name, to: grant.name, grant.gained.subtracting(grant.widerBefore),
            isNew: false,
            at: grant.to.nameSpan, in: &findings)
        }
      }
      for type in comparison.addedTypes {
        for grant in type.mergedGrants() {
          let usual = CloudSchema.Grant.defaults.first { $0.role == grant.role }?.permissions ?? []
          reportOpening(
            of: type.name, to: grant.role, grant.permissions.subtracting(usual), isNew: true,
            at: grant.nameSpan, in: &findings)
        }
      }
    })

  private static func reportOpening(
    of type: String, to role: String, _ gained: CloudSchema.Permissions, isNew: Bool,
    at span: SourceSpan?, in findings: inout FindingCollector
  ) {
    let serious = gained.intersection([.create, .write])
    guard Phrase.isOpenToMany(role), !serious.isEmpty else { return }
    findings.report(
      .grant(to: role, on: type),
      "\(Phrase.role(role)) may now \(Phrase.list(serious.keywords)) records of "
        + (isNew ? "the new type '\(type)'" : "'\(type)'"),
      hint: serious.contains(.write)
        ? "WRITE includes modifying and deleting the records of others" : nil, at: span)
  }

  static let grantReadAdded = SchemaRule(
    id: "GRANT_READ_ADDED", category: .security, defaultSeverity: .note,
    title: "Anyone, or any account, may read records that were not readable before",
    effect: """
      Every record of the type in the public database, including existing ones, becomes readable \
      for every account (_icloud) or everyone (_world).
      """,
    remedy: "Check that no stored record is private.",
    evidence: [.textSchemaPage],
    check: .comparison([.deploy]) { comparison, findings in
      for type in comparison.types {
        for grant in type.grants
        where Phrase.isOpenToMany(grant.name)
          && grant.gained.subtracting(grant.widerBefore).contains(.read)
        {
          findings.report(
            .grant(to: grant.name, on: type.name),
            "\(Phrase.role(grant.name)) may now READ records of '\(type.name)'",
            at: grant.to.nameSpan)
        }
      }
    })
}
