extension SchemaRule {
  static let reservedNameUnquoted = SchemaRule(
    "RESERVED_NAME_UNQUOTED", .validate, .error,
    title: "A reserved word is a name without quotation marks",
    effect: """
      The words grant, preferred, queryable, searchable and sortable are names only in quotation \
      marks; without them the server cannot read the file.
      """,
    remedy: "Put the name in quotation marks; recordpack schema print --write does it.",
    evidence: [.quotingRules],
    check: .schema { document, sink in
      document.schema.forEachWrittenName { name in
        guard !name.origin.isQuoted, SchemaNames.isReserved(name.text) else { return }
        sink.report(
          name.subject, "\(name.what) '\(name.text)' is a reserved word",
          hint: "write \"\(name.text)\"", at: name.origin.name)
      }
    })
}
