extension SchemaRule {
  static let subscriptionFieldNotQueryable = SchemaRule(
    "SUBSCRIPTION_FIELD_NOT_QUERYABLE", .client, .error,
    title: "The predicate of a subscription compares a field without the index for it",
    effect: """
      A predicate needs a QUERYABLE index on each field that it compares, and SEARCHABLE where it \
      looks for words: "Field 'done' is not marked queryable". Production refuses the subscription \
      with "attempting to create a subscription in a production container".
      """,
    remedy: "Add the index to the schema and deploy it.",
    evidence: [
      .subscriptionRefusal,
      Evidence(.server, "many users report \"Field … is not marked queryable\" for queries"),
    ],
    check: .records { judgement, sink in
      for watch in SubscriptionWatch.all(judgement.census) {
        guard let type = watch.recordType.flatMap({ judgement.production[$0] }) else { continue }
        for filter in watch.comparisons {
          guard let field = filter.field(of: type.name, in: judgement.production),
            !field.options.contains(filter.option)
          else {
            continue
          }
          let server = ServerMessage.notQueryable(filter.name)
          sink.report(
            .field(field.name, of: type.name),
            "\(watch) compares '\(filter.name)' of '\(type.name)', which has no \(filter.index) "
              + "index in production"
              + (filter.option == .queryable ? "; the server says: \"\(server)\"" : ""),
            hint: "add \(filter.index) and deploy it")
        }
      }
    })
}
