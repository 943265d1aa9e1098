extension SchemaRule {
  static let searchableOnNonString = SchemaRule(
    id: "SEARCHABLE_ON_NON_STRING", category: .validate, defaultSeverity: .error,
    title: "A field that is not a string is SEARCHABLE",
    effect: "SEARCHABLE is a full-text index. It is only available for STRING and LIST<STRING>.",
    remedy: "Remove SEARCHABLE.",
    evidence: [
      .community("LiveDiagnosticsClient: cktool rejects SEARCHABLE for numbers"),
      .corpus("exports have it on STRING and LIST<STRING> only"),
    ],
    check: .fields { field, type in
      guard field.options.contains(.searchable), field.type.primitive != .string,
        field.type.primitive != .asset, !field.type.isEncrypted
      else { return nil }
      return Note(
        "the \(field.type) field '\(field.name)' of '\(type)' cannot be SEARCHABLE",
        hint: "only STRING and LIST<STRING> can")
    })
}
