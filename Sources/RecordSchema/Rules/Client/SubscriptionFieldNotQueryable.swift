extension SchemaRule {
  static let subscriptionFieldNotQueryable = SchemaRule(
    id: "SUBSCRIPTION_FIELD_NOT_QUERYABLE", category: .client, defaultSeverity: .error,
    title: "The predicate of a subscription compares a field without the required index",
    effect: """
      A predicate requires a QUERYABLE index on each field that it compares, and SEARCHABLE for \
      full-text search: "Field 'done' is not marked queryable". Production rejects the \
      subscription with "attempting to create a subscription in a production container".
      """,
    remedy: "Add the index to the schema and deploy it.",
    evidence: [
      .subscriptionRejection,
      .server("many users report \"Field … is not marked queryable\" for queries"),
    ],
    check: .comparedFields { field, watch, filter, type in
      guard let field, !field.options.contains(filter.option) else { return nil }
      let server = ServerMessage.notQueryable(filter.name)
      return Note(
        "\(watch) compares '\(filter.name)' of '\(type)', which has no \(filter.index) index in "
          + "production" + (filter.option == .queryable ? "; the server says: \"\(server)\"" : ""),
        hint: "add \(filter.index) and deploy it")
    })
}
