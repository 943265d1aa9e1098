extension SchemaRule {
  static let indexOnAsset = SchemaRule(
    "INDEX_ON_ASSET", .validate, .error,
    title: "An asset has an index",
    effect: "Assets are files beside the record; they can be neither compared nor sorted by.",
    remedy: "Remove the options; index a field with the file's name or digest instead.",
    evidence: [
      Evidence(.apple, "CKQuery and CKRecord: assets cannot be part of a predicate"),
      Evidence(.corpus, "no export has an option on ASSET or LIST<ASSET>"),
    ],
    check: .schema { document, sink in
      for type in document.schema.recordTypes {
        for field in type.fields where field.type.primitive == .asset && !field.options.isEmpty {
          sink.report(
            .field(field.name, of: type.name),
            "the \(field.type) field '\(field.name)' of '\(type.name)' cannot be "
              + RuleWords.list(field.options.keywords, "or"),
            hint: "remove \(field.options)", at: field.origin?.name)
        }
      }
    })
}
