extension SchemaRule {
  static let numberPreferenceChanged = SchemaRule(
    id: "NUMBER_PREFERENCE_CHANGED", category: .deploy, defaultSeverity: .error,
    title: "A NUMBER field of production has a different preference",
    effect: """
      The development environment creates a NUMBER field for a number just in time. The field may \
      have PREFERRED AS INT64 or DOUBLE. Once deployed, the preference cannot be changed or \
      removed.
      """,
    remedy: "Keep production's preference.",
    evidence: [.textSchemaPage],
    check: .changedFields(.deploy, at: \.typeSpan) { field, type in
      guard field.to.type.shape == field.from.type.shape,
        let preference = field.from.type.numberPreference,
        preference != field.to.type.numberPreference
      else { return nil }
      return Note(
        "the field '\(field.name)' of '\(type)' is \(field.from.type) in production and "
          + "\(field.to.type) here", hint: "keep PREFERRED AS \(preference.rawValue)")
    })
}
