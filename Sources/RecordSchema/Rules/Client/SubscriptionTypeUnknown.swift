extension SchemaRule {
  static let subscriptionTypeUnknown = SchemaRule(
    id: "SUBSCRIPTION_TYPE_UNKNOWN", category: .client, defaultSeverity: .error,
    title: "A subscription watches a record type that production does not have",
    effect: """
      Production rejects the subscription with "attempting to create a subscription in a \
      production container", so the app receives no notifications.
      """,
    remedy: "Deploy the record type before the app that subscribes to it ships.",
    evidence: [.subscriptionRejection],
    check: .records { check, sink in
      for watch in check.subscriptions {
        guard let type = watch.recordType, check.production[type] == nil else { continue }
        sink.report(
          .type(type), "\(watch) watches the record type '\(type)', which production does not have",
          hint: "deploy the record type")
      }
    })
}
