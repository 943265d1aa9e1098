extension SchemaRule {
  static let recordListMismatch = SchemaRule(
    "RECORD_LIST_MISMATCH", .data, .error,
    title: "Records hold a list where the field holds one value, or the other way round",
    effect: """
      A list is another type than its elements, and an empty list is a list too: the server refuses the \
      record with "invalid attempt to set value type STRING_LIST for field 'tags' for type 'Todo', \
      defined to be: STRING".
      """,
    remedy: """
      Write what the schema has, or give the other form a new field.
      """,
    evidence: [
      Evidence(
        .inference, "the message for other types; the names of lists are those of Web Services")
    ],
    check: .records { judgement, sink in
      judgement.report(
        "RECORD_LIST_MISMATCH", hint: "write what the schema has, or use a new field", to: &sink)
    })
}
