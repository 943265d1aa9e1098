extension SchemaRule {
  static let numberPreferenceSet = SchemaRule(
    id: "NUMBER_PREFERENCE_SET", category: .info, defaultSeverity: .info,
    title: "A NUMBER field gains a preference",
    effect: "Once deployed, PREFERRED AS cannot be changed.",
    remedy: "Check that the app saves this kind of number.",
    evidence: [.textSchemaPage],
    check: .changedFields(.deploy, at: \.typeSpan) { field, type in
      guard field.from.type.shape == field.to.type.shape,
        field.from.type.numberPreference == nil, let preference = field.to.type.numberPreference
      else { return nil }
      return Note(
        "the NUMBER field '\(field.name)' of '\(type)' is now preferred as "
          + "\(preference.rawValue); permanent once deployed")
    })
}
