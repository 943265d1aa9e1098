extension SchemaRule {
  static let indexOnAsset = SchemaRule(
    id: "INDEX_ON_ASSET", category: .validate, defaultSeverity: .error,
    title: "An asset has an index",
    effect: """
      Assets are files stored beside the record; queries can neither compare them nor sort by \
      them.
      """,
    remedy: "Remove the options; index a field with the file's name or digest instead.",
    evidence: [
      .apple("CKQuery and CKRecord: assets cannot be part of a predicate"),
      .corpus("no export has an option on ASSET or LIST<ASSET>"),
    ],
    check: .fields { field, type in
      guard field.type.primitive == .asset, !field.options.isEmpty else { return nil }
      return Note(
        "the \(field.type) field '\(field.name)' of '\(type)' cannot be "
          + Phrase.list(field.options.keywords, "or"), hint: "remove \(field.options)")
    })
}
