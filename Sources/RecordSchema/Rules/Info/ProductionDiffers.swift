extension SchemaRule {
  static let productionDiffers = SchemaRule(
    "PRODUCTION_DIFFERS", .info, .info,
    title: "Production has something else that the app does not need",
    effect: """
      Production may have more than one app needs: types, fields, indexes, grants and roles of \
      older versions or of other apps. Nothing fails because of them.
      """,
    remedy: """
      Nothing, unless the schema in the repository should be complete: then export production and \
      add what is missing, or the next import will be refused (RECORD_TYPE_REMOVED, FIELD_REMOVED).
      """,
    evidence: [.quickStart],
    check: .comparison([.drift]) { comparison, sink in
      for role in comparison.removedRoles {
        sink.report(
          .role(role.name), "only production has the role '\(role.name)'",
          former: role.origin?.name)
      }
      for type in comparison.removedTypes {
        sink.report(
          .type(type.name), "only production has the record type '\(type.name)'",
          former: type.origin?.name)
      }
      for type in comparison.types { reportSurplus(in: type, to: &sink) }
    })

  private static func reportSurplus(
    in type: SchemaComparison.TypePair, to sink: inout FindingSink
  ) {
    for field in type.removedFields {
      sink.report(
        .field(field.name, of: type.name),
        "only production has the field \(RuleWords.field(field)) in '\(type.name)'",
        former: field.origin?.name)
    }
    for field in type.fields {
      let options = field.from.options.subtracting(field.to.options)
      if !options.isEmpty {
        sink.report(
          .field(field.name, of: type.name),
          "only in production is the field '\(field.name)' of '\(type.name)' "
            + RuleWords.list(options.keywords),
          at: field.to.origin?.name, former: field.from.origin?.name)
      }
      let isPlainlyDifferent = field.from.type.isEncrypted == field.to.type.isEncrypted
      if field.from.type != field.to.type, isPlainlyDifferent,
        field.from.type.shape.accepts(field.to.type.shape)
      {
        sink.report(
          .field(field.name, of: type.name),
          "the field '\(field.name)' of '\(type.name)' is \(field.from.type) in production, which "
            + "takes the \(field.to.type) of the app",
          at: field.to.origin?.detail, former: field.from.origin?.detail)
      }
    }
    for grant in type.grants {
      let surplus = grant.from.subtracting(grant.to)
      guard !surplus.isEmpty else { continue }
      sink.report(
        .grant(to: grant.role, on: type.name),
        "only in production \(RuleWords.role(grant.role)) may "
          + "\(RuleWords.list(surplus.keywords)) records of '\(type.name)'",
        at: grant.toOrigin?.name, former: grant.fromOrigin?.name)
    }
  }
}
