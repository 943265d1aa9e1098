extension SchemaRule {
  /// The maximum number of fields per record type besides the system fields, as reported by users.
  public static let maximumUserFields = 256

  static let tooManyFields = SchemaRule(
    "TOO_MANY_FIELDS", .validate, .warning,
    title: "A record type has more fields than CloudKit is said to allow",
    effect: "A record type is said to take 256 fields besides the six system fields.",
    remedy: "Put values together in one BYTES or STRING field, or split the type.",
    evidence: [
      Evidence(.community, "scout-db issues 496 and 497 name the limit; no figure of Apple's"),
      Evidence(.corpus, "the largest real type has exactly 256 fields and the system fields"),
    ],
    check: .schema { document, sink in
      for type in document.schema.recordTypes {
        let count = type.userFields.count
        guard count > maximumUserFields else { continue }
        sink.report(
          .type(type.name),
          "the record type '\(type.name)' has \(count) fields besides the system fields; "
            + "CloudKit is said to allow \(maximumUserFields)", at: type.origin?.name)
      }
    })
}
