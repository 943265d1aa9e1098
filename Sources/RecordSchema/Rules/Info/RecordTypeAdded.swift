extension SchemaRule {
  static let recordTypeAdded = SchemaRule(
    id: "RECORD_TYPE_ADDED", category: .info, defaultSeverity: .info,
    title: "A record type was added",
    effect: "Once deployed, the type, its name and all its fields are permanent.",
    remedy: "Check names and types before deploying.",
    evidence: [.quickStart],
    check: .added(\.addedTypes, .deploy) { type in
      Note(
        "the record type '\(type.name)' with \(Phrase.count(type.userFields.count, "field")) was "
          + "added; permanent once deployed")
    })
}
