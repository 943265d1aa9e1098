extension SchemaRule {
  static let numberPreferenceSet = SchemaRule(
    "NUMBER_PREFERENCE_SET", .info, .info,
    title: "A NUMBER field gains a preference",
    effect: "Once PREFERRED AS is deployed it must not change any more.",
    remedy: "Make sure that it is the kind of number that the app writes.",
    evidence: [.textSchemaPage],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.types {
        for field in type.fields where field.from.type.shape == field.to.type.shape {
          guard field.from.type.numberPreference == nil,
            let preference = field.to.type.numberPreference
          else { continue }
          sink.report(
            .field(field.name, of: type.name),
            "the NUMBER field '\(field.name)' of '\(type.name)' is now preferred as "
              + "\(preference.rawValue); permanent once deployed",
            at: field.to.origin?.detail, former: field.from.origin?.detail)
        }
      }
    })
}
