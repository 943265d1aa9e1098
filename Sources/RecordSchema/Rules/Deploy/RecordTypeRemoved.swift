extension SchemaRule {
  static let recordTypeRemoved = SchemaRule(
    "RECORD_TYPE_REMOVED", .deploy, .error,
    title: "A record type of production is missing",
    effect: """
      Record types in production are permanent. Importing a schema that lacks one fails as a whole \
      with "invalid attempt to delete a record type which is active in a production container", \
      and nothing is changed. An import replaces the whole development schema: a file with only \
      the new types is a file that removes all others.
      """,
    remedy: """
      Keep the type in the file, even if no app uses it any more; say so in a comment above it. If \
      the file was meant as an addition, export the production schema and add to that.
      """,
    evidence: [
      .textSchemaPage, .quickStart,
      Evidence(.server, "the message above, met by people who imported partial files"),
    ],
    check: .comparison([.deploy]) { comparison, sink in
      for type in comparison.removedTypes where !SchemaNames.isManaged(type.name) {
        sink.report(
          .type(type.name),
          "the record type '\(type.name)' with "
            + RuleWords.count(type.userFields.count, "field") + " is missing",
          hint: "keep it: record types in production cannot be removed",
          former: type.origin?.name)
      }
    })
}
