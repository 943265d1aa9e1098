extension SchemaRule {
  static let indexRemoved = SchemaRule(
    "INDEX_REMOVED", .client, .error,
    title: "A field of production loses an index",
    effect: """
      A query that needs the index fails in every version of the app that sends it, with "Field \
      'F' is not marked queryable", and a subscription with such a predicate can no longer be made. \
      No data is lost. Leaving a system field out counts too: "not mentioned" means "no index".
      Whether production refuses the removal is disputed: Apple describes it as possible, some \
      teams treat indexes as add-only.
      """,
    remedy: """
      Keep the index. If no app in use queries or sorts by the field, allow the finding with a \
      comment or lower the severity.
      """,
    evidence: [
      .textSchemaPage,
      Evidence(.server, "the message, reported by many projects"),
      Evidence(.community, "moolah, wei18 and scout guard indexes as add-only"),
    ],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.types {
        for field in type.fields {
          let lost = field.from.options.subtracting(field.to.options)
          guard !lost.isEmpty else { continue }
          let isUnwritten = field.to.origin == nil && field.from.origin != nil
          sink.report(
            .field(field.name, of: type.name),
            isUnwritten
              ? "the system field '\(field.name)' of '\(type.name)' is not mentioned and so loses "
                + RuleWords.list(lost.keywords)
              : "the field '\(field.name)' of '\(type.name)' loses \(RuleWords.list(lost.keywords))",
            hint: isUnwritten
              ? "write \"\(field.name)\" \(field.from.type) \(field.from.options)"
              : "keep \(field.from.options)",
            at: field.to.origin?.name, former: field.from.origin?.name)
        }
      }
    })
}
