extension SchemaRule {
  static let noGrant = SchemaRule(
    "NO_GRANT", .validate, .warning,
    title: "A record type has no grant",
    effect: """
      In the public database nobody may read, create or write records of the type. Private and \
      shared databases do not know grants, so for them nothing is wrong.
      """,
    remedy: """
      Add the grants that CloudKit gives a new type: GRANT WRITE TO "_creator", GRANT CREATE TO \
      "_icloud", GRANT READ TO "_world". Without a public database, switch the rule off.
      """,
    evidence: [
      Evidence(.corpus, "five real files have types without grants; exports never do"),
      Evidence(.inference, "whether the server adds its defaults on import is not known"),
    ],
    check: .schema { document, sink in
      for type in document.schema.recordTypes where type.grants.isEmpty {
        sink.report(
          .type(type.name), "the record type '\(type.name)' has no grant",
          hint: "nobody can use it in the public database", at: type.origin?.name)
      }
    })
}
