extension SchemaRule {
  static let recordEncryptedPublic = SchemaRule(
    "RECORD_ENCRYPTED_PUBLIC", .data, .error,
    title: "Records of the public database hold encrypted values",
    effect: """
      The keys of encrypted values belong to a user account, and the public database belongs to nobody: \
      it has no encrypted values.
      """,
    remedy: """
      Write these values plain, or keep the records in a private database.
      """,
    evidence: [
      .encryptingUserData
    ],
    check: .records { judgement, sink in
      judgement.report(
        "RECORD_ENCRYPTED_PUBLIC",
        hint: "write it as a plain value, or save the record to a private database", to: &sink)
    })
}
