extension SchemaRule {
  static let noGrant = SchemaRule(
    id: "NO_GRANT", category: .validate, defaultSeverity: .warning,
    title: "A record type has no grant",
    effect: """
      No user may read, create or write records of the type in the public database. Private and \
      shared databases do not use grants and are not affected.
      """,
    remedy: """
      Add CloudKit's default grants: GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT \
      READ TO "_world". If the app has no public database, turn the rule off.
      """,
    evidence: [
      .corpus("five real files have types without grants; exports never do"),
      .inference("whether the server adds its defaults on import is not known"),
    ],
    check: .schema { document, sink in
      for type in document.schema.recordTypes where type.grants.isEmpty {
        sink.report(
          .type(type.name), "the record type '\(type.name)' has no grant",
          hint: "no user can access it in the public database", at: type.origin?.name)
      }
    })
}
