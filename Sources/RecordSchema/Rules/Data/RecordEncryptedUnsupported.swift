extension SchemaRule {
  static let recordEncryptedUnsupported = SchemaRule(
    "RECORD_ENCRYPTED_UNSUPPORTED", .data, .error,
    title: "Records hold references or assets among their encrypted values",
    effect: """
      CloudKit has no encrypted references, as the server must follow them, and encrypts all assets \
      anyway. CKRecord raises an exception for either in encryptedValues.
      """,
    remedy: """
      Write references and assets as plain values.
      """,
    evidence: [
      .encryptionSample, .textSchemaPage,
    ],
    check: .records { judgement, sink in
      judgement.report("RECORD_ENCRYPTED_UNSUPPORTED", hint: "write it as a plain value", to: &sink)
    })
}
