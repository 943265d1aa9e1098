extension SchemaRule {
  static let fieldAdded = SchemaRule(
    "FIELD_ADDED", .info, .info,
    title: "A field is new",
    effect: "Deploying it makes the field, its name, type and encryption permanent.",
    remedy: "Look at name and type once more before deploying.",
    evidence: [.quickStart, .encryptedValues],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.types {
        for field in type.addedFields {
          sink.report(
            .field(field.name, of: type.name),
            "the field \(RuleWords.field(field)) of '\(type.name)' is new; permanent once deployed",
            at: field.origin?.name)
        }
      }
    })
}
