extension SchemaRule {
  static let subscriptionTypeUnknown = SchemaRule(
    "SUBSCRIPTION_TYPE_UNKNOWN", .client, .error,
    title: "A subscription watches a record type that production does not have",
    effect: """
      Production refuses the subscription, and the app is told of no change: "attempting to create \
      a subscription in a production container".
      """,
    remedy: "Deploy the record type before the app that subscribes to it ships.",
    evidence: [.subscriptionRefusal],
    check: .records { judgement, sink in
      for watch in SubscriptionWatch.all(judgement.census) {
        guard let type = watch.recordType, judgement.production[type] == nil else { continue }
        sink.report(
          .type(type), "\(watch) watches the record type '\(type)', which production does not have",
          hint: "deploy the record type")
      }
    })
}
