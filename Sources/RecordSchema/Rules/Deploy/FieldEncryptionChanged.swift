extension SchemaRule {
  static let fieldEncryptionChanged = SchemaRule(
    "FIELD_ENCRYPTION_CHANGED", .deploy, .error,
    title: "A field of production becomes encrypted, or is no longer",
    effect: """
      Whether a field is encrypted is fixed when it is first deployed. Only a new field can be \
      encrypted, and an encrypted one stays so. An app that disagrees with the schema is refused \
      when it saves: "Attempt to save encrypted data in non encrypted field type".
      """,
    remedy: "Add a new field with the wanted encryption, move the values in the app, keep the old.",
    evidence: [
      .encryptedValues,
      Evidence(.server, "MistKit issue 392 quotes the messages for a mismatch"),
    ],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.types {
        for field in type.fields where field.from.type.isEncrypted != field.to.type.isEncrypted {
          let (was, becomes) =
            field.to.type.isEncrypted ? ("plain", "encrypted") : ("encrypted", "plain")
          sink.report(
            .field(field.name, of: type.name),
            "the field '\(field.name)' of '\(type.name)' is \(was) in production "
              + "(\(field.from.type)) and \(becomes) here (\(field.to.type))",
            hint: "keep it \(was) and add a field of another name",
            at: field.to.origin?.detail, former: field.from.origin?.detail)
        }
      }
    })
}
