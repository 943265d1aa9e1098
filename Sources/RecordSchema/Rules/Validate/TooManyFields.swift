extension SchemaRule {
  /// The maximum number of fields per record type besides the system fields, as reported by users.
  public static let maxUserFields = 256

  static let tooManyFields = SchemaRule(
    id: "TOO_MANY_FIELDS", category: .validate, defaultSeverity: .warning,
    title: "A record type has more fields than CloudKit reportedly allows",
    effect: "A record type can reportedly have 256 fields in addition to the six system fields.",
    remedy: "Combine values in one BYTES or STRING field, or split the type.",
    evidence: [
      .community("scout-db issues 496 and 497 name the limit; no figure of Apple's"),
      .corpus("the largest real type has exactly 256 fields and the system fields"),
    ],
    check: .schema { document, sink in
      for type in document.schema.recordTypes {
        let count = type.userFields.count
        guard count > maxUserFields else { continue }
        sink.report(
          .type(type.name),
          "the record type '\(type.name)' has \(count) fields besides the system fields; "
            + "the reported limit is \(maxUserFields)", at: type.origin?.name)
      }
    })
}
