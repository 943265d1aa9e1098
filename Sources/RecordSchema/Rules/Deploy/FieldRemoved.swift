extension SchemaRule {
  static let fieldRemoved = SchemaRule(
    "FIELD_REMOVED", .deploy, .error,
    title: "A field of production is missing",
    effect: """
      Fields in production are permanent. A schema that lacks one would lose data relative to \
      production; CloudKit finds it invalid and changes nothing.
      """,
    remedy: """
      Keep the field in the file, even if no app uses it any more; say so in a comment above it. \
      Its indexes may be another matter: see INDEX_REMOVED.
      """,
    evidence: [.textSchemaPage, .quickStart],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.types {
        for field in type.removedFields {
          sink.report(
            .field(field.name, of: type.name),
            "the field \(RuleWords.field(field)) of '\(type.name)' is missing",
            hint: "keep it: fields in production cannot be removed", former: field.origin?.name)
        }
      }
    })
}
