extension SchemaRule {
  static let sortableOnList = SchemaRule(
    "SORTABLE_ON_LIST", .validate, .warning,
    title: "A list is SORTABLE",
    effect: "A list has no order among lists; no export has SORTABLE on one.",
    remedy: "Remove SORTABLE.",
    evidence: [
      Evidence(.corpus, "exports have QUERYABLE and SEARCHABLE on lists, never SORTABLE"),
      Evidence(.inference, "the server's answer is not known, hence a warning"),
    ],
    check: .schema { document, sink in
      for type in document.schema.recordTypes {
        for field in type.fields
        where field.options.contains(.sortable) && field.type.isList && !field.type.isEncrypted
          && field.type.primitive != .asset
        {
          sink.report(
            .field(field.name, of: type.name),
            "the \(field.type) field '\(field.name)' of '\(type.name)' is SORTABLE",
            hint: "lists cannot be sorted by; remove SORTABLE", at: field.origin?.name)
        }
      }
    })
}
