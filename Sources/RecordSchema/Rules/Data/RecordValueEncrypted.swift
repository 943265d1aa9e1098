extension SchemaRule {
  static let recordValueEncrypted = SchemaRule(
    "RECORD_VALUE_ENCRYPTED", .data, .error,
    title: "Records hold encrypted values in a field that is not encrypted",
    effect: """
      The server refuses the record: "Attempt to save encrypted data in non encrypted field type".
      """,
    remedy: """
      Write the field through the plain values of the record, or give encrypted values a new field: one \
      that exists cannot become encrypted.
      """,
    evidence: [
      .encryptedValues, Evidence(.server, "MistKit issue 392 quotes the message"),
    ],
    check: .records { judgement, sink in
      judgement.report(
        "RECORD_VALUE_ENCRYPTED", hint: "write it as a plain value, or use a new ENCRYPTED field",
        to: &sink)
    })
}
