extension SchemaRule {
  static let usersTypeMissing = SchemaRule(
    id: "USERS_TYPE_MISSING", category: .deploy, defaultSeverity: .info,
    title: "The record type Users is omitted",
    effect: """
      Every container has the record type Users. Exports contain it; files written by hand often \
      omit it and can be imported nevertheless. RecordPack then assumes production's grants and \
      its field roles, and reports user-defined fields and indexes of Users as removed.
      """,
    remedy: "Copy Users from an export into the file.",
    evidence: [.corpus("all exports have it, many files written by hand do not")],
    check: .comparison([.deploy]) { comparison, sink in
      let isUsers = { (type: CloudSchema.RecordType) in type.name == SchemaNames.usersType }
      guard let users = comparison.from.recordTypes.first(where: isUsers),
        !comparison.to.recordTypes.contains(where: isUsers)
      else { return }
      sink.report(
        .type(users.name), "the record type 'Users' is omitted; every container has it",
        hint: "copy it from an export, so that its fields and indexes are kept",
        former: users.origin?.name)
    })
}
