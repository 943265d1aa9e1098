extension SchemaRule {
  static let indexAdded = SchemaRule(
    id: "INDEX_ADDED", category: .info, defaultSeverity: .info,
    title: "A field gains an index",
    effect: """
      Queries can use the field. Building the index for existing records takes the server some \
      time, and indexes use space and make saving slower.
      """,
    remedy: "Add only indexes that the app's queries need.",
    evidence: [.deployingPage],
    check: .changedFields(.deploy) { field, type in
      let gained = field.to.options.subtracting(field.from.options)
      guard !gained.isEmpty else { return nil }
      return Note("the field '\(field.name)' of '\(type)' becomes \(Phrase.list(gained.keywords))")
    })
}
