extension SchemaRule {
  static let recordFieldUnknown = SchemaRule(
    "RECORD_FIELD_UNKNOWN", .data, .error,
    title: "Records hold values in a field that the schema does not have",
    effect: """
      Production refuses the whole record: "Cannot create or modify field 'order' in record 'Todo' in \
      production schema". The development environment makes the field when the first value of it is \
      saved; for an empty list it cannot, as nobody says what the list holds.
      """,
    remedy: """
      Add the field to the schema and deploy it before the app that writes it ships.
      """,
    evidence: [
      .productionRefusal
    ],
    check: .records { judgement, sink in
      judgement.report(
        "RECORD_FIELD_UNKNOWN", hint: "deploy the field, or do not write it", to: &sink)
    })
}
