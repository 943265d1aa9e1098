extension SchemaRule {
  static let recordEncryptedPublic = SchemaRule(
    "RECORD_ENCRYPTED_PUBLIC", .data, .error,
    title: "Records of the public database hold encrypted values",
    effect: """
      The keys of encrypted values belong to a user account, and the public database does not \
      belong to one, so it has no encrypted values.
      """,
    remedy: "Save these values as plain values, or save the records to a private database.",
    evidence: [.encryptingUserData],
    check: .data(hint: "write it as a plain value, or save the record to a private database"))
}
