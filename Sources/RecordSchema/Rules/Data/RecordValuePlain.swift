extension SchemaRule {
  static let recordValuePlain = SchemaRule(
    id: "RECORD_VALUE_PLAIN", category: .data, defaultSeverity: .error,
    title: "Records have plain values in an encrypted field",
    effect: """
      The server rejects the record: "invalid attempt to set value type STRING for field 'text' \
      for type 'Note', defined to be: ENCRYPTED_STRING".
      """,
    remedy: "Save the field through encryptedValues.",
    evidence: [
      .encryptedValues,
      .server("MistKit issue 392 quotes the message for other types of one field"),
    ],
    check: .data(hint: "write it through encryptedValues"))
}
