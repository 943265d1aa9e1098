extension SchemaRule {
  static let fieldNotDeployed = SchemaRule(
    id: "FIELD_NOT_DEPLOYED", category: .client, defaultSeverity: .error,
    title: "The app needs a field that production does not have",
    effect: """
      Saving a record with a value in the field fails in production with "Cannot create or modify \
      field 'F' in record 'X' in production schema" (CKError 12/2006). The whole record is \
      rejected, so that sync stops for everyone. This is the most common failure of CloudKit apps.
      """,
    remedy: "Deploy the schema in the CloudKit Console before the app is released.",
    evidence: [.deployingPage, .server("the message, CKError 12/2006, reported by many projects")],
    check: .addedFields(.drift) { field, type in
      Note(
        "production has no field \(Phrase.field(field)) in '\(type)'; saving it fails with: "
          + ServerMessage.cannotCreateField(field.name, in: type),
        hint: "deploy the schema before the app is released")
    })
}
