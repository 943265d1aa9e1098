extension SchemaRule {
  static let recordTypeRemoved = SchemaRule(
    id: "RECORD_TYPE_REMOVED", category: .deploy, defaultSeverity: .error,
    title: "A record type of production is missing",
    effect: """
      Record types in production are permanent. Importing a schema that lacks one fails as a whole \
      with "invalid attempt to delete a record type which is active in a production container", \
      and changes nothing. An import replaces the whole development schema, so a file with only \
      the new types removes all others.
      """,
    remedy: """
      Keep the type in the file, even if no app uses it any more, with a comment that says so. If \
      the file was meant as an addition, export the production schema and add to that.
      """,
    evidence: [
      .textSchemaPage, .quickStart,
      .server("the message, reported by users who imported partial files"),
    ],
    check: .removed(\.removedTypes, .deploy) { type in
      guard !SchemaNames.isManaged(type.name) else { return nil }
      return Note(
        "the record type '\(type.name)' with \(Phrase.count(type.userFields.count, "field")) is "
          + "missing", hint: "keep it: record types in production cannot be removed")
    })
}
