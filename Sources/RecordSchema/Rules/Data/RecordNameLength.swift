extension SchemaRule {
  static let recordNameLength = SchemaRule(
    id: "RECORD_NAME_LENGTH", category: .data, defaultSeverity: .error,
    title: "Records have an empty name, or one of more than 255 characters",
    effect: """
      A record name has 1 to 255 characters. CKRecord.ID raises an exception for an empty name, \
      and servers reject a longer one.
      """,
    remedy: "Use a shorter record name, such as a UUID, and store the long name in a field.",
    evidence: [
      .recordNames, .apple("CKRecordID.h: \"Record names must be 255 characters or less\""),
    ],
    check: .data(hint: "give it a name of 1 to 255 characters"))
}
