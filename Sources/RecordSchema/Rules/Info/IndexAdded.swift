extension SchemaRule {
  static let indexAdded = SchemaRule(
    "INDEX_ADDED", .info, .info,
    title: "A field gains an index",
    effect: """
      Queries may use the field. Building the index over stored records takes the server some time; \
      indexes take space and make saving slower.
      """,
    remedy: "Add only indexes that the app's queries need.",
    evidence: [.deployingPage],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.types {
        for field in type.fields {
          let gained = field.to.options.subtracting(field.from.options)
          guard !gained.isEmpty else { continue }
          sink.report(
            .field(field.name, of: type.name),
            "the field '\(field.name)' of '\(type.name)' becomes "
              + RuleWords.list(gained.keywords),
            at: field.to.origin?.name, former: field.from.origin?.name)
        }
      }
    })
}
