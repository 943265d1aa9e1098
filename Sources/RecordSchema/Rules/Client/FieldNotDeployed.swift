extension SchemaRule {
  static let fieldNotDeployed = SchemaRule(
    "FIELD_NOT_DEPLOYED", .client, .error,
    title: "The app needs a field that production does not have",
    effect: """
      Saving a record with a value in the field fails in production with "Cannot create or modify \
      field 'F' in record 'X' in production schema" (CKError 12/2006). The whole record is refused, \
      so that sync stops for everyone. This is the commonest failure of CloudKit apps.
      """,
    remedy: "Deploy the schema in the CloudKit Console before the app is released.",
    evidence: [
      .deployingPage, Evidence(.server, "the message, CKError 12/2006, reported by many projects"),
    ],
    check: .comparison([.drift]) { comparison, sink in
      for type in comparison.types {
        for field in type.addedFields {
          sink.report(
            .field(field.name, of: type.name),
            "production has no field \(RuleWords.field(field)) in '\(type.name)'; saving it fails "
              + "with: " + ServerMessage.cannotCreateField(field.name, in: type.name),
            hint: "deploy the schema before the app is released", at: field.origin?.name)
        }
      }
    })
}
