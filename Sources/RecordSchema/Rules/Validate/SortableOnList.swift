extension SchemaRule {
  static let sortableOnList = SchemaRule(
    id: "SORTABLE_ON_LIST", category: .validate, defaultSeverity: .warning,
    title: "A list is SORTABLE",
    effect: "Lists have no order. No export has SORTABLE on a list.",
    remedy: "Remove SORTABLE.",
    evidence: [
      .corpus("exports have QUERYABLE and SEARCHABLE on lists, never SORTABLE"),
      .inference("the server's answer is not known, hence a warning"),
    ],
    check: .fields { field, type in
      guard field.options.contains(.sortable), field.type.isList, !field.type.isEncrypted,
        field.type.primitive != .asset
      else { return nil }
      return Note(
        "the \(field.type) field '\(field.name)' of '\(type)' is SORTABLE",
        hint: "results cannot be sorted by a list; remove SORTABLE")
    })
}
