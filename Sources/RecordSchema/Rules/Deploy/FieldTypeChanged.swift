extension SchemaRule {
  static let fieldTypeChanged = SchemaRule(
    id: "FIELD_TYPE_CHANGED", category: .deploy, defaultSeverity: .error,
    title: "A field of production has a different type",
    effect: """
      The type of a field in production is permanent; only new types and fields can be deployed. \
      This includes changes between a list and a single value, from STRING to REFERENCE, and from \
      NUMBER to INT64. Existing records keep values of the old type.
      """,
    remedy: """
      Add a new field with the new type, write both fields while old versions of the app are in \
      use, and keep the old field.
      """,
    evidence: [
      .quickStart,
      .community("users report that the Console offers no type change on deployed fields"),
    ],
    check: .changedFields(.deploy, at: \.typeSpan) { field, type in
      guard field.from.type.shape != field.to.type.shape else { return nil }
      // A wrong type of a system field has its own rule.
      if let system = CloudSchema.SystemField(rawValue: field.name), field.to.type != system.type {
        return nil
      }
      return Note(
        "the field '\(field.name)' of '\(type)' is \(field.from.type) in production and "
          + "\(field.to.type) here",
        hint: "keep \(field.from.type) and add a field with another name")
    })
}
