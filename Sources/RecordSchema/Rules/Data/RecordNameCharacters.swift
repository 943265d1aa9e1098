extension SchemaRule {
  static let recordNameCharacters = SchemaRule(
    id: "RECORD_NAME_CHARACTERS", category: .data, defaultSeverity: .warning,
    title: "Records have names with characters other than ASCII, or with a leading underscore",
    effect: """
      Apple's documentation allows only ASCII, and reserves names that begin with an underscore \
      for the server, which uses them for user records. The framework's header says that most \
      UTF-8 characters are valid. The server's behavior has not been reported, hence a warning.
      """,
    remedy: "Use a UUID or other ASCII characters, and store the former name in a field.",
    evidence: [
      .recordNames, .apple("CKRecordID.h: \"Most UTF-8 characters are valid\""),
      .corpus("real responses have names that begin with an underscore in one type of Apple's own"),
    ],
    check: .data(hint: "use an ASCII name that does not begin with an underscore"))
}
