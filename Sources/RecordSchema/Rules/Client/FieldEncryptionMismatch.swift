extension SchemaRule {
  static let fieldEncryptionMismatch = SchemaRule(
    "FIELD_ENCRYPTION_MISMATCH", .client, .error,
    title: "The app and production disagree on a field's encryption",
    effect: """
      Saving an encrypted value to a plain field fails with "Attempt to save encrypted data in non \
      encrypted field type", and the other way round likewise. Production cannot be changed.
      """,
    remedy: """
      Use encryptedValues in the app exactly for the fields that are ENCRYPTED in production, or \
      use a field of another name.
      """,
    evidence: [
      .encryptedValues,
      Evidence(.server, "MistKit issue 392 quotes the messages for a mismatch"),
    ],
    check: .comparison([.drift]) { comparison, sink in
      for type in comparison.types {
        for field in type.fields where field.from.type.isEncrypted != field.to.type.isEncrypted {
          sink.report(
            .field(field.name, of: type.name),
            "the field '\(field.name)' of '\(type.name)' is \(field.from.type) in production and "
              + "\(field.to.type) here",
            hint: field.from.type.isEncrypted
              ? "write it through encryptedValues" : "write it as a plain value",
            at: field.to.origin?.detail, former: field.from.origin?.detail)
        }
      }
    })
}
