extension SchemaRule {
  static let recordTypeUnknown = SchemaRule(
    "RECORD_TYPE_UNKNOWN", .data, .error,
    title: "Records have a type that the schema does not have",
    effect: """
      Production refuses such records: "Cannot create new type Todo in production schema". The \
      development environment makes the type when the first record of it is saved.
      """,
    remedy: """
      Add the record type to the schema and deploy it, or leave these records out. After the first \
      share was made in development, cloudkit.share is such a type too.
      """,
    evidence: [
      .productionRefusal
    ],
    check: .records { judgement, sink in
      judgement.report(
        "RECORD_TYPE_UNKNOWN", hint: "deploy the record type, or leave these records out", to: &sink
      )
    })
}
