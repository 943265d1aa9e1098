extension SchemaRule {
  static let systemNameUnquoted = SchemaRule(
    id: "SYSTEM_NAME_UNQUOTED", category: .validate, defaultSeverity: .error,
    title: "A name of the server is not quoted",
    effect: """
      Names that begin with an underscore (system fields, built-in roles) and names with a dot \
      (cloudkit.share) must be quoted; otherwise the server cannot parse the file.
      """,
    remedy: "Put the name in quotation marks; recordpack schema print --write does it.",
    evidence: [.quotingRules, .corpus("exports quote all of them")],
    check: .names { name in
      guard !name.origin.isQuoted, name.isOfServer else { return nil }
      return Note("\(name.what) '\(name.text)' must be quoted", hint: "write \"\(name.text)\"")
    })
}
