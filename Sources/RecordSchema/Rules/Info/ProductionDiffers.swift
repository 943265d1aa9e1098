extension SchemaRule {
  static let productionDiffers = SchemaRule(
    id: "PRODUCTION_DIFFERS", category: .info, defaultSeverity: .info,
    title: "Production has something that the app does not need",
    effect: """
      Production may have types, fields, indexes, grants and roles of older versions or other \
      apps. They cause no failures.
      """,
    remedy: """
      None, unless the schema in the repository is meant to be complete: then export production \
      and add what is missing, or the next import will be rejected (RECORD_TYPE_REMOVED, \
      FIELD_REMOVED).
      """,
    evidence: [.quickStart],
    check: .all(
      .drift,
      [
        .removed(\.removedRoles, .drift) { Note("only production has the role '\($0.name)'") },
        .removed(\.removedTypes, .drift) {
          Note("only production has the record type '\($0.name)'")
        },
        .removedFields(.drift) { field, type in
          Note("only production has the field \(Phrase.field(field)) in '\(type)'")
        },
        .changedFields(.drift) { field, type in
          let options = field.from.options.subtracting(field.to.options)
          guard !options.isEmpty else { return nil }
          return Note(
            "only in production is the field '\(field.name)' of '\(type)' "
              + Phrase.list(options.keywords))
        },
        .changedFields(.drift, at: \.typeSpan) { field, type in
          let (from, to) = (field.from.type, field.to.type)
          guard from != to, from.isEncrypted == to.isEncrypted, from.shape.accepts(to.shape) else {
            return nil
          }
          return Note(
            "the field '\(field.name)' of '\(type)' is \(from) in production, which accepts the "
              + "app's \(to)")
        },
        .changedGrants(.drift) { grant, type in
          guard !grant.lost.isEmpty else { return nil }
          return Note(
            "only in production \(Phrase.role(grant.name)) may \(Phrase.list(grant.lost.keywords)) "
              + "records of '\(type)'")
        },
      ]))
}
