extension SchemaRule {
  static let recordValuePlain = SchemaRule(
    "RECORD_VALUE_PLAIN", .data, .error,
    title: "Records hold plain values in a field that is encrypted",
    effect: """
      The server refuses the record: "invalid attempt to set value type STRING for field 'text' for type \
      'Note', defined to be: ENCRYPTED_STRING".
      """,
    remedy: """
      Write the field through encryptedValues.
      """,
    evidence: [
      .encryptedValues,
      Evidence(.server, "MistKit issue 392 quotes the message for other types of one field"),
    ],
    check: .records { judgement, sink in
      judgement.report("RECORD_VALUE_PLAIN", hint: "write it through encryptedValues", to: &sink)
    })
}
