extension SchemaRule {
  static let recordTypeUnknown = SchemaRule(
    id: "RECORD_TYPE_UNKNOWN", category: .data, defaultSeverity: .error,
    title: "Records have a type that the schema does not have",
    effect: """
      Production rejects such records: "Cannot create new type Todo in production schema". The \
      development environment creates the type when the first record of it is saved.
      """,
    remedy: """
      Add the record type to the schema and deploy it, or omit these records. This also applies to \
      cloudkit.share, which is created with the first share in development.
      """,
    evidence: [.productionRejection],
    check: .data(hint: "deploy the record type, or omit these records"))
}
