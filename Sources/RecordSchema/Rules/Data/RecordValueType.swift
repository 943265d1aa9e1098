extension SchemaRule {
  static let recordValueType = SchemaRule(
    "RECORD_VALUE_TYPE", .data, .error,
    title: "Records hold values of another type than the field has",
    effect: """
      The server refuses the record: "invalid attempt to set value type STRING for field 'owner' for \
      type 'Todo', defined to be: REFERENCE". A NUMBER field takes integers and doubles.
      """,
    remedy: """
      Write values of the type of the schema, or give values of the new type a new field.
      """,
    evidence: [
      Evidence(.server, "users report the message for a STRING in a REFERENCE field")
    ],
    check: .records { judgement, sink in
      judgement.report(
        "RECORD_VALUE_TYPE", hint: "write the field's type, or use a new field", to: &sink)
    })
}
