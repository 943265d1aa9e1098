extension SchemaRule {
  static let systemFieldRetyped = SchemaRule(
    "SYSTEM_FIELD_RETYPED", .deploy, .error,
    title: "A system field has a type that is not its own",
    effect: """
      The six system fields have fixed types: ___createTime and ___modTime TIMESTAMP, \
      ___createdBy, ___modifiedBy and ___recordID REFERENCE, ___etag STRING. A schema that gives \
      one another type is not valid.
      """,
    remedy: "Give the field its own type, or leave it out where it has no index.",
    evidence: [.textSchemaPage],
    check: .schema { document, sink in
      for type in document.schema.recordTypes {
        for field in type.fields {
          guard let system = Schema.SystemField(rawValue: field.name), field.type != system.type
          else { continue }
          sink.report(
            .field(field.name, of: type.name),
            "the system field '\(field.name)' of '\(type.name)' is \(field.type) here; "
              + "its type is \(system.type)",
            hint: "write \(system.type)", at: field.origin?.detail)
        }
      }
    })
}
