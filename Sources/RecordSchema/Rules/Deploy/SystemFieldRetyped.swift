extension SchemaRule {
  static let systemFieldRetyped = SchemaRule(
    id: "SYSTEM_FIELD_RETYPED", category: .deploy, defaultSeverity: .error,
    title: "A system field has the wrong type",
    effect: """
      The six system fields have fixed types: ___createTime and ___modTime TIMESTAMP, \
      ___createdBy, ___modifiedBy and ___recordID REFERENCE, ___etag STRING. A schema that gives \
      one another type is invalid.
      """,
    remedy: "Use the field's own type, or omit the field if it has no index.",
    evidence: [.textSchemaPage],
    check: .fields(at: \.typeSpan) { field, type in
      guard let system = CloudSchema.SystemField(rawValue: field.name), field.type != system.type
      else {
        return nil
      }
      return Note(
        "the system field '\(field.name)' of '\(type)' is \(field.type) here; its type is "
          + "\(system.type)", hint: "write \(system.type)")
    })
}
