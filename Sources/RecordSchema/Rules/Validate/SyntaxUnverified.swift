extension SchemaRule {
  static let syntaxUnverified = SchemaRule(
    "SYNTAX_UNVERIFIED", .validate, .warning,
    title: "The text has a form that no known schema has",
    effect: """
      RecordPack understands it; whether the server does is not known. Such forms are keywords in \
      lower case, a comma behind the last entry, record types without entries, stray semicolons, a \
      byte order mark.
      """,
    remedy: "Print the schema in the export form: recordpack schema print --write.",
    evidence: [Evidence(.corpus, "none of them occurs in any real schema")],
    check: .schema { document, sink in
      for diagnostic in document.diagnostics where diagnostic.severity == .warning {
        sink.report(
          .schema, diagnostic.message, hint: diagnostic.hint, at: diagnostic.span)
      }
    })
}
