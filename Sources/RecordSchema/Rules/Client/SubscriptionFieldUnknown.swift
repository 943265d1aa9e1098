extension SchemaRule {
  static let subscriptionFieldUnknown = SchemaRule(
    "SUBSCRIPTION_FIELD_UNKNOWN", .client, .error,
    title: "The predicate of a subscription compares a field that production does not have",
    effect: """
      Production refuses the subscription, and the app is told of no change: "attempting to create \
      a subscription in a production container".
      """,
    remedy: "Deploy the field, with a QUERYABLE index, before the app that subscribes to it ships.",
    evidence: [.subscriptionRefusal],
    check: .records { judgement, sink in
      for watch in SubscriptionWatch.all(judgement.census) {
        guard let type = watch.recordType.flatMap({ judgement.production[$0] }) else { continue }
        for filter in watch.comparisons
        where filter.field(of: type.name, in: judgement.production) == nil {
          sink.report(
            .field(filter.name, of: type.name),
            "\(watch) compares '\(filter.name)' of '\(type.name)', a field that production does "
              + "not have",
            hint: "deploy the field, with \(filter.index)")
        }
      }
    })
}
