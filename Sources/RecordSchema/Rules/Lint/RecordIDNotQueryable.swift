extension SchemaRule {
  static let recordIDNotQueryable = SchemaRule(
    id: "RECORDID_NOT_QUERYABLE", category: .lint, defaultSeverity: .off,
    title: "Records of a type cannot be listed",
    effect: """
      Without QUERYABLE on ___recordID the Console and CloudKit JS cannot list the records of the \
      type: "Field 'recordName' is not marked queryable", "Type is not marked indexable: X". Apps \
      that fetch by identifier or by changes do not need it.
      """,
    remedy: "Add \"___recordID\" REFERENCE QUERYABLE.",
    evidence: [
      .server("both messages, reported by many projects"),
      .apple("\"Inspecting and Editing an iCloud Container's Schema\" describes how to add it"),
    ],
    check: .schema { document, sink in
      for type in document.schema.recordTypes where !SchemaNames.isManaged(type.name) {
        // CloudKit creates Users without the index, and apps do not list it.
        if type.name == SchemaNames.usersType { continue }
        let field = type.field(named: CloudSchema.SystemField.recordID.rawValue)
        if field?.options.contains(.queryable) == true { continue }
        sink.report(
          .field(CloudSchema.SystemField.recordID.rawValue, of: type.name),
          "records of '\(type.name)' cannot be listed: ___recordID is not QUERYABLE",
          hint: "write \"___recordID\" REFERENCE QUERYABLE",
          at: field?.origin?.name ?? type.origin?.name)
      }
    })
}
