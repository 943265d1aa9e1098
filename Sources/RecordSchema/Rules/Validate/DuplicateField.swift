import RecordModel

extension SchemaRule {
  static let duplicateField = SchemaRule(
    id: "DUPLICATE_FIELD", category: .validate, defaultSeverity: .error,
    title: "A field is defined twice",
    effect: """
      A record type can have only one field with a name. Comparisons use the first definition.
      """,
    remedy: "Remove one of them.",
    evidence: [.inference("no real schema has it")],
    check: .schema { document, sink in
      for type in document.schema.recordTypes {
        var first: [NameKey: SourceSpan?] = [:]
        for field in type.fields {
          let name = NameKey(field.name)
          guard let earlier = first.updateValue(field.origin?.name, forKey: name) else { continue }
          sink.report(
            .field(field.name, of: type.name),
            "the field '\(field.name)' of '\(type.name)' is defined twice",
            hint: earlier.map { "the first definition is on line \($0.line)" },
            at: field.origin?.name)
        }
      }
    })
}
