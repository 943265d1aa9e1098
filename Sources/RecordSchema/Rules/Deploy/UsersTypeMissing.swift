extension SchemaRule {
  static let usersTypeMissing = SchemaRule(
    "USERS_TYPE_MISSING", .deploy, .info,
    title: "The record type Users is not mentioned",
    effect: """
      Every container has the record type Users. Every export mentions it; files written by hand \
      often do not, and are imported all the same. RecordPack compares as if the file held Users \
      as CloudKit makes it, so fields and indexes of your own on Users are reported as removed.
      """,
    remedy: "Copy Users from an export into the file.",
    evidence: [Evidence(.corpus, "all exports have it, many files written by hand do not")],
    check: .comparison([.deploy]) { comparison, sink in
      let isUsers = { (type: Schema.RecordType) in type.name == SchemaNames.usersType }
      guard let users = comparison.from.recordTypes.first(where: isUsers),
        !comparison.to.recordTypes.contains(where: isUsers)
      else { return }
      sink.report(
        .type(users.name), "the record type 'Users' is not mentioned; every container has it",
        hint: "copy it from an export, so that its fields and indexes are kept",
        former: users.origin?.name)
    })
}
