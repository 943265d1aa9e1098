extension SchemaRule {
  static let systemNameUnquoted = SchemaRule(
    "SYSTEM_NAME_UNQUOTED", .validate, .error,
    title: "A name of the server stands without quotation marks",
    effect: """
      Names that begin with an underscore (system fields, built-in roles) and names with a dot \
      (cloudkit.share) are no plain names; without quotation marks the server cannot read the file.
      """,
    remedy: "Put the name in quotation marks; recordpack schema print --write does it.",
    evidence: [.quotingRules, Evidence(.corpus, "exports quote all of them")],
    check: .schema { document, sink in
      document.schema.forEachWrittenName { name in
        guard !name.origin.isQuoted, name.isOfServer else { return }
        sink.report(
          name.subject, "\(name.what) '\(name.text)' needs quotation marks",
          hint: "write \"\(name.text)\"", at: name.origin.name)
      }
    })
}
