extension SchemaRule {
  static let nameTooLong = SchemaRule(
    id: "NAME_TOO_LONG", category: .validate, defaultSeverity: .error,
    title: "A name has more than 255 characters",
    effect: """
      A record key has at most 255 characters. Apple documents no limit for record types and \
      roles, and no other limit is known.
      """,
    remedy: "Choose a shorter name; once deployed, a name is permanent.",
    evidence: [
      .apple("CKRecord.h, on keys: \"The maximum key length is 255 characters\""),
      .inference("the same for record types and roles; no figure was found"),
      .corpus("the longest name in any real schema has 36 characters"),
    ],
    check: .names { name in
      let length = name.text.utf8.count
      guard length > SchemaNames.maxLength else { return nil }
      return Note(
        "\(name.what) '\(String(name.text.unicodeScalars.prefix(40)))…' has a name of \(length) "
          + "characters; the maximum is \(SchemaNames.maxLength)", hint: "choose a shorter name")
    })
}
