extension SchemaRule {
  static let recordListMismatch = SchemaRule(
    id: "RECORD_LIST_MISMATCH", category: .data, defaultSeverity: .error,
    title: "Records have a list in a field for a single value, or vice versa",
    effect: """
      A list has a different type than its elements, and an empty list is a list too. The server \
      rejects the record with "invalid attempt to set value type STRING_LIST for field 'tags' for \
      type 'Todo', defined to be: STRING".
      """,
    remedy: "Save values of the schema's type, or use a new field for the other type.",
    evidence: [
      .inference("the message for other types; the names of lists are those of Web Services")
    ],
    check: .data(hint: "use the schema's type, or a new field"))
}
