import RecordModel

extension SchemaRule {
  static let duplicateRole = SchemaRule(
    id: "DUPLICATE_ROLE", category: .validate, defaultSeverity: .error,
    title: "A role is created twice, or is built in",
    effect: "Every role is created once; _creator, _icloud and _world exist in every container.",
    remedy: "Remove the statement.",
    evidence: [.inference("no real schema has it")],
    check: .schema { document, sink in
      var seen = Set(SchemaNames.builtInRoles.map { NameKey($0) })
      for role in document.schema.roles where !seen.insert(NameKey(role.name)).inserted {
        sink.report(
          .role(role.name),
          SchemaNames.builtInRoles.contains(role.name)
            ? "the role '\(role.name)' is built in and cannot be created"
            : "the role '\(role.name)' is created twice",
          hint: "remove the statement", at: role.origin?.name)
      }
    })
}
