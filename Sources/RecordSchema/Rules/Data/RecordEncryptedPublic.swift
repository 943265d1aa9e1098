extension SchemaRule {
  static let recordEncryptedPublic = SchemaRule(
    id: "RECORD_ENCRYPTED_PUBLIC", category: .data, defaultSeverity: .error,
    title: "Records of the public database have encrypted values",
    effect: """
      The keys of encrypted values belong to a user account, and the public database does not \
      belong to one, so it has no encrypted values.
      """,
    remedy: "Save these values as plain values, or save the records to a private database.",
    evidence: [.encryptingUserData],
    check: .data(hint: "write it as a plain value, or save the record to a private database"))
}
