extension SchemaRule {
  static let recordNameCharacters = SchemaRule(
    "RECORD_NAME_CHARACTERS", .data, .warning,
    title: "Records have a name beyond ASCII, or one that begins with an underscore",
    effect: """
      Apple's documentation allows ASCII only, and keeps names that begin with an underscore for the \
      server, which names user records so. The framework's header says that most UTF-8 characters are \
      valid; what the server does nobody has reported, hence a warning.
      """,
    remedy: """
      Use a UUID or other ASCII characters, and keep what the name said in a field.
      """,
    evidence: [
      .recordNames, Evidence(.apple, "CKRecordID.h: \"Most UTF-8 characters are valid\""),
      Evidence(
        .corpus,
        "real responses have names that begin with an underscore in one type of Apple's own"),
    ],
    check: .records { judgement, sink in
      judgement.report(
        "RECORD_NAME_CHARACTERS", hint: "give it an ASCII name that begins with another character",
        to: &sink)
    })
}
