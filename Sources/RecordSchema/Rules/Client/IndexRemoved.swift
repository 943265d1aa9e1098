extension SchemaRule {
  static let indexRemoved = SchemaRule(
    id: "INDEX_REMOVED", category: .client, defaultSeverity: .error,
    title: "A field of production loses an index",
    effect: """
      A query that needs the index fails in every version of the app that sends it, with "Field \
      'F' is not marked queryable", and a subscription with such a predicate can no longer be \
      created. No data is lost. Omitting a system field removes its index too.
      Whether production rejects the removal is disputed: Apple describes it as possible, some \
      teams treat indexes as add-only.
      """,
    remedy: """
      Keep the index. If no app in use queries or sorts by the field, suppress the finding with a \
      comment or lower the severity.
      """,
    evidence: [
      .textSchemaPage, .server("the message, reported by many projects"),
      .community("moolah, wei18 and scout guard indexes as add-only"),
    ],
    check: .changedFields(.deploy) { field, type in
      let lost = field.from.options.subtracting(field.to.options)
      guard !lost.isEmpty else { return nil }
      let isOmitted = field.to.origin == nil && field.from.origin != nil
      return Note(
        isOmitted
          ? "the system field '\(field.name)' of '\(type)' is omitted and so loses "
            + Phrase.list(lost.keywords)
          : "the field '\(field.name)' of '\(type)' loses \(Phrase.list(lost.keywords))",
        hint: isOmitted
          ? "write \"\(field.name)\" \(field.from.type) \(field.from.options)"
          : "keep \(field.from.options)")
    })
}
