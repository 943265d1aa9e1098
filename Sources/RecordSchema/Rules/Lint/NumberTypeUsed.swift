extension SchemaRule {
  static let numberTypeUsed = SchemaRule(
    "NUMBER_TYPE_USED", .lint, .warning,
    title: "A field is NUMBER",
    effect: """
      NUMBER arises when development makes a field just in time for a number whose kind it cannot \
      know. Deployed, it stays NUMBER.
      """,
    remedy: "Write INT64 or DOUBLE while the field is not in production yet.",
    evidence: [
      .textSchemaPage, Evidence(.corpus, "no real schema has a NUMBER field"),
    ],
    check: .schema { document, sink in
      for type in document.schema.recordTypes {
        for field in type.fields where field.type.primitive == .number {
          sink.report(
            .field(field.name, of: type.name),
            "the field '\(field.name)' of '\(type.name)' is \(field.type)",
            hint: "write INT64 or DOUBLE while it is not in production yet",
            at: field.origin?.detail)
        }
      }
    })
}
