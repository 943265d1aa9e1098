extension SchemaRule {
  static let recordValueType = SchemaRule(
    id: "RECORD_VALUE_TYPE", category: .data, defaultSeverity: .error,
    title: "Records have values of a different type than the field",
    effect: """
      The server rejects the record: "invalid attempt to set value type STRING for field 'owner' \
      for type 'Todo', defined to be: REFERENCE". A NUMBER field accepts integers and doubles.
      """,
    remedy: "Save values of the schema's type, or use a new field for the new type.",
    evidence: [.server("users report the message for a STRING in a REFERENCE field")],
    check: .data(hint: "use the field's type, or a new field"))
}
