extension SchemaRule {
  static let systemFieldUnknown = SchemaRule(
    id: "SYSTEM_FIELD_UNKNOWN", category: .deploy, defaultSeverity: .error,
    title: "A field has a system field's form of name, but is not a system field",
    effect: """
      Names that begin with three underscores are reserved for the server's six system fields. \
      Others cannot be created.
      """,
    remedy: "Correct the spelling, or use a name that begins with a letter.",
    evidence: [
      .textSchemaPage, .inference("the server's answer to such a name has not been reported"),
    ],
    check: .fields { field, type in
      guard field.name.utf8.starts(with: "___".utf8),
        CloudSchema.SystemField(rawValue: field.name) == nil
      else { return nil }
      let known = CloudSchema.SystemField.allCases.map(\.rawValue)
      return Note(
        "there is no system field '\(field.name)' (in '\(type)')",
        hint: SchemaHints.nearest(to: field.name, among: known)
          ?? "the system fields are " + known.joined(separator: ", "))
    })
}
