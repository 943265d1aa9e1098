extension SchemaRule {
  static let encryptedIndexed = SchemaRule(
    "ENCRYPTED_INDEXED", .validate, .error,
    title: "An encrypted field has an index",
    effect: "The server cannot read encrypted values, so it cannot index them.",
    remedy: "Remove the options, or give up the encryption of a field that is not deployed yet.",
    evidence: [
      Evidence(.apple, "CKRecord.encryptedValues: encrypted fields cannot have indexes"),
      Evidence(.corpus, "no encrypted field in a real schema has an option"),
    ],
    check: .schema { document, sink in
      for type in document.schema.recordTypes {
        for field in type.fields where field.type.isEncrypted && !field.options.isEmpty {
          sink.report(
            .field(field.name, of: type.name),
            "the field '\(field.name)' of '\(type.name)' is encrypted and cannot be "
              + RuleWords.list(field.options.keywords, "or"),
            hint: "remove \(field.options)", at: field.origin?.name)
        }
      }
    })
}
