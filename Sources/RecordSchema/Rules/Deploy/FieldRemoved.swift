extension SchemaRule {
  static let fieldRemoved = SchemaRule(
    id: "FIELD_REMOVED", category: .deploy, defaultSeverity: .error,
    title: "A field of production is missing",
    effect: """
      Fields in production are permanent. A schema that lacks one is invalid, and CloudKit changes \
      nothing.
      """,
    remedy: """
      Keep the field in the file, even if no app uses it any more, with a comment that says so. \
      Removing its indexes is a separate matter: see INDEX_REMOVED.
      """,
    evidence: [.textSchemaPage, .quickStart],
    check: .removedFields(.deploy) { field, type in
      Note(
        "the field \(Phrase.field(field)) of '\(type)' is missing",
        hint: "keep it: fields in production cannot be removed")
    })
}
