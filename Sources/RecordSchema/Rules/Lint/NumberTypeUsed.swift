extension SchemaRule {
  static let numberTypeUsed = SchemaRule(
    id: "NUMBER_TYPE_USED", category: .lint, defaultSeverity: .warning,
    title: "A field is NUMBER",
    effect: """
      The development environment creates NUMBER just in time for a number of unknown kind. Once \
      deployed, it stays NUMBER.
      """,
    remedy: "Use INT64 or DOUBLE before the field is deployed to production.",
    evidence: [.textSchemaPage, .corpus("no real schema has a NUMBER field")],
    check: .fields(at: \.typeSpan) { field, type in
      guard field.type.primitive == .number else { return nil }
      return Note(
        "the field '\(field.name)' of '\(type)' is \(field.type)",
        hint: "use INT64 or DOUBLE before it is deployed to production")
    })
}
