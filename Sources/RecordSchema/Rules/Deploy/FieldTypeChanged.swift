extension SchemaRule {
  static let fieldTypeChanged = SchemaRule(
    "FIELD_TYPE_CHANGED", .deploy, .error,
    title: "A field of production has another type",
    effect: """
      A field keeps its type for ever once it is in production; only new types and fields can be \
      deployed. This covers a list made of a single value and the other way round, a STRING made a \
      REFERENCE, and a NUMBER made INT64. Records written before keep values of the old type.
      """,
    remedy: """
      Give the new type a new field, write both for as long as old versions of the app run, and \
      keep the old field.
      """,
    evidence: [
      .quickStart,
      Evidence(
        .community, "users report that the Console offers no type change on deployed fields"),
    ],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.types {
        for field in type.fields where field.from.type.shape != field.to.type.shape {
          // A wrong type of a system field has its own rule.
          if let system = Schema.SystemField(rawValue: field.name), field.to.type != system.type {
            continue
          }
          sink.report(
            .field(field.name, of: type.name),
            "the field '\(field.name)' of '\(type.name)' is \(field.from.type) in production "
              + "and \(field.to.type) here",
            hint: "keep \(field.from.type) and add a field of another name",
            at: field.to.origin?.detail, former: field.from.origin?.detail)
        }
      }
    })
}
