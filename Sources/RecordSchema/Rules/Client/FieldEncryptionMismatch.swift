extension SchemaRule {
  static let fieldEncryptionMismatch = SchemaRule(
    id: "FIELD_ENCRYPTION_MISMATCH", category: .client, defaultSeverity: .error,
    title: "The app and production disagree on a field's encryption",
    effect: """
      Saving an encrypted value to a plain field fails with "Attempt to save encrypted data in non \
      encrypted field type", and vice versa. Production cannot be changed.
      """,
    remedy: """
      Use encryptedValues in the app for exactly the fields that are ENCRYPTED in production, or \
      use a field with another name.
      """,
    evidence: [.encryptedValues, .server("MistKit issue 392 quotes the messages for a mismatch")],
    check: .changedFields(.drift, at: \.typeSpan) { field, type in
      guard field.from.type.isEncrypted != field.to.type.isEncrypted else { return nil }
      return Note(
        "the field '\(field.name)' of '\(type)' is \(field.from.type) in production and "
          + "\(field.to.type) here",
        hint: field.from.type.isEncrypted
          ? "write it through encryptedValues" : "write it as a plain value")
    })
}
