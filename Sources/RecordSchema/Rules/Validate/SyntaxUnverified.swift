extension SchemaRule {
  static let syntaxUnverified = SchemaRule(
    id: "SYNTAX_UNVERIFIED", category: .validate, defaultSeverity: .warning,
    title: "The syntax is unusual",
    effect: """
      RecordPack accepts it, but the server may not. This covers keywords in lower case, a comma \
      after the last entry, record types without entries, stray semicolons, and a byte order mark.
      """,
    remedy: "Print the schema in export form: recordpack schema print --write.",
    evidence: [.corpus("none of them occurs in any real schema")],
    check: .schema { document, sink in
      for diagnostic in document.diagnostics where diagnostic.severity == .warning {
        sink.report(.schema, diagnostic.message, hint: diagnostic.hint, at: diagnostic.span)
      }
    })
}
