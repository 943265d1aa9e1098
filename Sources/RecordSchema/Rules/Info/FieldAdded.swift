extension SchemaRule {
  static let fieldAdded = SchemaRule(
    id: "FIELD_ADDED", category: .info, defaultSeverity: .info,
    title: "A field was added",
    effect: "Once deployed, the field, its name, type and encryption are permanent.",
    remedy: "Check the name and type before deploying.",
    evidence: [.quickStart, .encryptedValues],
    check: .addedFields(.deploy) { field, type in
      Note("the field \(Phrase.field(field)) of '\(type)' was added; permanent once deployed")
    })
}
