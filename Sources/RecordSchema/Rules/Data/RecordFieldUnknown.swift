extension SchemaRule {
  static let recordFieldUnknown = SchemaRule(
    id: "RECORD_FIELD_UNKNOWN", category: .data, defaultSeverity: .error,
    title: "Records have a field that the schema does not have",
    effect: """
      Production rejects the whole record: "Cannot create or modify field 'order' in record 'Todo' \
      in production schema". The development environment creates the field when its first value is \
      saved, unless that is an empty list, whose element type is unknown.
      """,
    remedy: "Add the field to the schema and deploy it before the app that writes it ships.",
    evidence: [.productionRejection],
    check: .data(hint: "deploy the field, or do not write it"))
}
