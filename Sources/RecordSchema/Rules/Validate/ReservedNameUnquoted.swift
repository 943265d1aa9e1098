extension SchemaRule {
  static let reservedNameUnquoted = SchemaRule(
    id: "RESERVED_NAME_UNQUOTED", category: .validate, defaultSeverity: .error,
    title: "A reserved word is used as a name without quotation marks",
    effect: """
      The words grant, preferred, queryable, searchable and sortable must be quoted when used as \
      names; otherwise the server cannot parse the file.
      """,
    remedy: "Put the name in quotation marks; recordpack schema print --write does it.",
    evidence: [.quotingRules],
    check: .names { name in
      guard !name.origin.isQuoted, SchemaNames.isReserved(name.text) else { return nil }
      return Note("\(name.what) '\(name.text)' is a reserved word", hint: "write \"\(name.text)\"")
    })
}
