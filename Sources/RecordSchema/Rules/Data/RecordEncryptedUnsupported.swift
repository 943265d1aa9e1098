extension SchemaRule {
  static let recordEncryptedUnsupported = SchemaRule(
    id: "RECORD_ENCRYPTED_UNSUPPORTED", category: .data, defaultSeverity: .error,
    title: "Records have references or assets in their encrypted values",
    effect: """
      CloudKit does not support encrypted references, because the server must follow them, and \
      always encrypts assets. CKRecord raises an exception for either in encryptedValues.
      """,
    remedy: "Write references and assets as plain values.",
    evidence: [.encryptionSample, .textSchemaPage],
    check: .data(hint: "write it as a plain value"))
}
