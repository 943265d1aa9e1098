extension SchemaRule {
  static let fieldEncryptionChanged = SchemaRule(
    id: "FIELD_ENCRYPTION_CHANGED", category: .deploy, defaultSeverity: .error,
    title: "A field of production becomes encrypted or plain",
    effect: """
      Whether a field is encrypted is fixed when it is first deployed. Only a new field can be \
      encrypted, and an encrypted field stays encrypted. If an app does not match the schema, \
      saving fails: "Attempt to save encrypted data in non encrypted field type".
      """,
    remedy: """
      Add a new field with the desired encryption, copy the values in the app, and keep the old \
      field.
      """,
    evidence: [.encryptedValues, .server("MistKit issue 392 quotes the messages for a mismatch")],
    check: .changedFields(.deploy, at: \.typeSpan) { field, type in
      let isEncrypted = field.to.type.isEncrypted
      guard field.from.type.isEncrypted != isEncrypted else { return nil }
      let (was, becomes) = isEncrypted ? ("plain", "encrypted") : ("encrypted", "plain")
      return Note(
        "the field '\(field.name)' of '\(type)' is \(was) in production (\(field.from.type)) and "
          + "\(becomes) here (\(field.to.type))",
        hint: "keep it \(was) and add a field with another name")
    })
}
