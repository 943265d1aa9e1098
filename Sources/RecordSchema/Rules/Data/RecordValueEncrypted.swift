extension SchemaRule {
  static let recordValueEncrypted = SchemaRule(
    id: "RECORD_VALUE_ENCRYPTED", category: .data, defaultSeverity: .error,
    title: "Records have encrypted values in a field that is not encrypted",
    effect: """
      The server rejects the record: "Attempt to save encrypted data in non encrypted field type".
      """,
    remedy: """
      Save the field as a plain value, or use a new field for encrypted values: an existing field \
      cannot become encrypted.
      """,
    evidence: [.encryptedValues, .server("MistKit issue 392 quotes the message")],
    check: .data(hint: "write it as a plain value, or use a new ENCRYPTED field"))
}
