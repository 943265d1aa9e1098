extension SchemaRule {
  static let recordTypeAdded = SchemaRule(
    "RECORD_TYPE_ADDED", .info, .info,
    title: "A record type is new",
    effect: "Deploying it makes the type, its name and all its fields permanent.",
    remedy: "Look at names and types once more before deploying.",
    evidence: [.quickStart],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.addedTypes {
        sink.report(
          .type(type.name),
          "the record type '\(type.name)' with "
            + RuleWords.count(type.userFields.count, "field")
            + " is new; permanent once deployed",
          at: type.origin?.name)
      }
    })
}
