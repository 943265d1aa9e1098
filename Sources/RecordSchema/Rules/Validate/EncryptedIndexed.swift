extension SchemaRule {
  static let encryptedIndexed = SchemaRule(
    id: "ENCRYPTED_INDEXED", category: .validate, defaultSeverity: .error,
    title: "An encrypted field has an index",
    effect: "The server cannot read encrypted values, so it cannot index them.",
    remedy: "Remove the options, or the encryption of a field that is not deployed yet.",
    evidence: [
      .apple("CKRecord.encryptedValues: encrypted fields cannot have indexes"),
      .corpus("no encrypted field in a real schema has an option"),
    ],
    check: .fields { field, type in
      guard field.type.isEncrypted, !field.options.isEmpty else { return nil }
      return Note(
        "the field '\(field.name)' of '\(type)' is encrypted and cannot be "
          + Phrase.list(field.options.keywords, "or"), hint: "remove \(field.options)")
    })
}
