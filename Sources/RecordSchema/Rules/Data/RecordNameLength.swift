extension SchemaRule {
  static let recordNameLength = SchemaRule(
    "RECORD_NAME_LENGTH", .data, .error,
    title: "Records have an empty name, or one of more than 255 characters",
    effect: """
      A record's name has 1 to 255 characters. For an empty one CKRecord.ID raises an exception; a \
      longer one no server stores.
      """,
    remedy: """
      Give the record a name of its own, such as a UUID, and keep what the long name said in a field.
      """,
    evidence: [
      .recordNames,
      Evidence(.apple, "CKRecordID.h: \"Record names must be 255 characters or less\""),
    ],
    check: .records { judgement, sink in
      judgement.report(
        "RECORD_NAME_LENGTH", hint: "give it a name of 1 to 255 characters", to: &sink)
    })
}
