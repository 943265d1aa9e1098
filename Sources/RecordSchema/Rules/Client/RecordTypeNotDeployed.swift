extension SchemaRule {
  static let recordTypeNotDeployed = SchemaRule(
    id: "RECORD_TYPE_NOT_DEPLOYED", category: .client, defaultSeverity: .error,
    title: "The app needs a record type that production does not have",
    effect: """
      Saving a record of the type fails in production with "Cannot create new type X in production \
      schema". In development the server creates the type just in time, so that the problem is not \
      noticed before the app ships.
      """,
    remedy: "Deploy the schema in the CloudKit Console before the app is released.",
    evidence: [.deployingPage, .server("the message, CKError 12/2006, reported by many projects")],
    check: .added(\.addedTypes, .drift) { type in
      Note(
        "production has no record type '\(type.name)'; saving one fails with: "
          + ServerMessage.cannotCreateType(type.name),
        hint: "deploy the schema before the app is released")
    })
}
