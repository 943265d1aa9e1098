extension SchemaRule {
  static let subscriptionFieldUnknown = SchemaRule(
    id: "SUBSCRIPTION_FIELD_UNKNOWN", category: .client, defaultSeverity: .error,
    title: "The predicate of a subscription compares a field that production does not have",
    effect: """
      Production rejects the subscription with "attempting to create a subscription in a \
      production container", so the app receives no notifications.
      """,
    remedy: "Deploy the field, with a QUERYABLE index, before the app that subscribes to it ships.",
    evidence: [.subscriptionRejection],
    check: .comparedFields { field, watch, filter, type in
      guard field == nil else { return nil }
      return Note(
        "\(watch) compares '\(filter.name)' of '\(type)', a field that production does not have",
        hint: "deploy the field, with \(filter.index)")
    })
}
