extension SchemaRule {
  static let numberPreferenceChanged = SchemaRule(
    "NUMBER_PREFERENCE_CHANGED", .deploy, .error,
    title: "A NUMBER field of production prefers another kind of number",
    effect: """
      A NUMBER field arises when development makes a field for a number just in time. It may say \
      PREFERRED AS INT64 or DOUBLE; once set, the preference must not change or go.
      """,
    remedy: "Keep the preference of production.",
    evidence: [.textSchemaPage],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.types {
        for field in type.fields where field.to.type.shape == field.from.type.shape {
          guard let preference = field.from.type.numberPreference,
            preference != field.to.type.numberPreference
          else { continue }
          sink.report(
            .field(field.name, of: type.name),
            "the field '\(field.name)' of '\(type.name)' is \(field.from.type) in production "
              + "and \(field.to.type) here",
            hint: "keep PREFERRED AS \(preference.rawValue)",
            at: field.to.origin?.detail, former: field.from.origin?.detail)
        }
      }
    })
}
