extension SchemaRule {
  static let systemFieldUnknown = SchemaRule(
    "SYSTEM_FIELD_UNKNOWN", .deploy, .error,
    title: "A field is named like a system field and is none",
    effect: """
      Names with three underscores at the start are the server's. It has six of them; others \
      cannot be made.
      """,
    remedy: "Correct the spelling, or give a field of your own a name that begins with a letter.",
    evidence: [
      .textSchemaPage, Evidence(.inference, "nobody reported the server's answer to such a name"),
    ],
    check: .schema { document, sink in
      let known = Schema.SystemField.allCases.map(\.rawValue)
      for type in document.schema.recordTypes {
        for field in type.fields
        where field.name.utf8.starts(with: "___".utf8)
          && Schema.SystemField(rawValue: field.name) == nil
        {
          sink.report(
            .field(field.name, of: type.name),
            "there is no system field '\(field.name)' (in '\(type.name)')",
            hint: SchemaHints.nearest(to: field.name, among: known)
              ?? "the system fields are " + known.joined(separator: ", "),
            at: field.origin?.name)
        }
      }
    })
}
