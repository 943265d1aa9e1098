extension SchemaRule {
  static let searchableOnNonString = SchemaRule(
    "SEARCHABLE_ON_NON_STRING", .validate, .error,
    title: "A field that is no text is SEARCHABLE",
    effect: "SEARCHABLE is an index of words. It exists for STRING and LIST<STRING> only.",
    remedy: "Remove SEARCHABLE.",
    evidence: [
      Evidence(.community, "LiveDiagnosticsClient: cktool rejects SEARCHABLE for numbers"),
      Evidence(.corpus, "exports have it on STRING and LIST<STRING> only"),
    ],
    check: .schema { document, sink in
      for type in document.schema.recordTypes {
        for field in type.fields
        where field.options.contains(.searchable) && field.type.primitive != .string
          && field.type.primitive != .asset && !field.type.isEncrypted
        {
          sink.report(
            .field(field.name, of: type.name),
            "the \(field.type) field '\(field.name)' of '\(type.name)' cannot be SEARCHABLE",
            hint: "only STRING and LIST<STRING> can", at: field.origin?.name)
        }
      }
    })
}
