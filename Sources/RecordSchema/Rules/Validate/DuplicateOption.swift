extension SchemaRule {
  static let duplicateOption = SchemaRule(
    id: "DUPLICATE_OPTION", category: .validate, defaultSeverity: .warning,
    title: "An option or permission is repeated",
    effect: "The repetition has no effect. The server may not accept it.",
    remedy: "Remove one of them; recordpack schema print --write does so.",
    evidence: [.inference("the grammar allows any number of options, exports have one")],
    check: .schema { document, sink in
      for type in document.schema.recordTypes {
        for field in type.fields {
          for span in field.origin?.repeated ?? [] {
            sink.report(
              .field(field.name, of: type.name),
              "the field '\(field.name)' of '\(type.name)' has an option twice",
              hint: "\(field.options) is enough", at: span)
          }
        }
        for grant in type.grants {
          for span in grant.origin?.repeated ?? [] {
            sink.report(
              .grant(to: grant.role, on: type.name),
              "a grant to '\(grant.role)' on '\(type.name)' has a permission twice",
              hint: "\(grant.permissions) is enough", at: span)
          }
        }
      }
    })
}
