extension SchemaRule {
  static let indexNotDeployed = SchemaRule(
    id: "INDEX_NOT_DEPLOYED", category: .client, defaultSeverity: .error,
    title: "The app needs an index that production does not have",
    effect: """
      Queries that compare or sort by the field fail in production with "Field 'F' is not marked \
      queryable" or "Type is not marked indexable: X"; subscriptions with such a predicate fail \
      with "attempting to create a subscription in a production container". In development the \
      server creates indexes just in time.
      """,
    remedy: "Add the index in the schema and deploy it before the app is released.",
    evidence: [.server("the messages, reported by many projects")],
    check: .changedFields(.drift) { field, type in
      let missing = field.to.options.subtracting(field.from.options)
      guard !missing.isEmpty else { return nil }
      return Note(
        "the field '\(field.name)' of '\(type)' is not " + Phrase.list(missing.keywords, "or")
          + " in production", hint: "deploy the schema before the app is released")
    })
}
