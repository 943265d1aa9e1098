extension SchemaRule {
  static let indexNotDeployed = SchemaRule(
    "INDEX_NOT_DEPLOYED", .client, .error,
    title: "The app needs an index that production does not have",
    effect: """
      Queries that compare or sort by the field fail in production with "Field 'F' is not marked \
      queryable" or "Type is not marked indexable: X"; subscriptions with such a predicate fail \
      with "attempting to create a subscription in a production container". In development the \
      server makes indexes just in time.
      """,
    remedy: "Add the index in the schema and deploy it before the app is released.",
    evidence: [Evidence(.server, "the messages, reported by many projects")],
    check: .comparison([.drift]) { comparison, sink in
      for type in comparison.types {
        for field in type.fields {
          let missing = field.to.options.subtracting(field.from.options)
          guard !missing.isEmpty else { continue }
          sink.report(
            .field(field.name, of: type.name),
            "the field '\(field.name)' of '\(type.name)' is not "
              + RuleWords.list(missing.keywords, "or") + " in production",
            hint: "deploy the schema before the app is released", at: field.to.origin?.name,
            former: field.from.origin?.name)
        }
      }
    })
}
