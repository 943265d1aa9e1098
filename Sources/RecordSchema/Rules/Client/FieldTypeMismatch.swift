extension SchemaRule {
  static let fieldTypeMismatch = SchemaRule(
    "FIELD_TYPE_MISMATCH", .client, .error,
    title: "The app and production disagree on a field's type",
    effect: """
      Saving a value of another type than production's fails with "invalid attempt to set value \
      type STRING for field 'F' for type 'X', defined to be: REFERENCE". Production cannot be \
      changed, so the app must. A NUMBER in production takes both kinds of numbers.
      """,
    remedy: "Use production's type in the app, or a field of another name.",
    evidence: [
      Evidence(.server, "the message, reported by several projects"),
      Evidence(.inference, "that NUMBER takes INT64 and DOUBLE follows from how it arises"),
    ],
    check: .comparison([.drift]) { comparison, sink in
      for type in comparison.types {
        for field in type.fields where !field.from.type.shape.accepts(field.to.type.shape) {
          sink.report(
            .field(field.name, of: type.name),
            "the field '\(field.name)' of '\(type.name)' is \(field.from.type) in production and "
              + "\(field.to.type) here; saving it fails with: "
              + ServerMessage.invalidValueType(
                field.to.type.serverName, for: field.name, in: type.name,
                definedAs: field.from.type.serverName),
            hint: "use \(field.from.type) in the app, or a field of another name",
            at: field.to.origin?.detail, former: field.from.origin?.detail)
        }
      }
    })
}
