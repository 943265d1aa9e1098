extension SchemaRule {
  static let fieldTypeMismatch = SchemaRule(
    id: "FIELD_TYPE_MISMATCH", category: .client, defaultSeverity: .error,
    title: "The app and production disagree on a field's type",
    effect: """
      Saving a value of a different type than production's fails with "invalid attempt to set \
      value type STRING for field 'F' for type 'X', defined to be: REFERENCE". Production cannot \
      be changed, so the app must be. A NUMBER in production accepts both kinds of numbers.
      """,
    remedy: "Use production's type in the app, or a field of another name.",
    evidence: [
      .server("the message, reported by several projects"),
      .inference("that NUMBER accepts INT64 and DOUBLE follows from how it is created"),
    ],
    check: .changedFields(.drift, at: \.typeSpan) { field, type in
      guard !field.from.type.shape.accepts(field.to.type.shape) else { return nil }
      return Note(
        "the field '\(field.name)' of '\(type)' is \(field.from.type) in production and "
          + "\(field.to.type) here; saving it fails with: "
          + ServerMessage.invalidValueType(
            field.to.type.serverName, for: field.name, in: type,
            definedAs: field.from.type.serverName),
        hint: "use \(field.from.type) in the app, or a field with another name")
    })
}
