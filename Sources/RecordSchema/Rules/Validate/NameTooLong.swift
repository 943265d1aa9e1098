extension SchemaRule {
  static let nameTooLong = SchemaRule(
    "NAME_TOO_LONG", .validate, .error,
    title: "A name has more than 255 characters",
    effect: """
      A key of a record has at most 255 characters. For record types and roles Apple gives no number; \
      none of another length is known.
      """,
    remedy: "Choose a shorter name; once deployed, a name is permanent.",
    evidence: [
      Evidence(.apple, "CKRecord.h, on keys: \"The maximum key length is 255 characters\""),
      Evidence(.inference, "the same for record types and roles; no figure was found"),
      Evidence(.corpus, "the longest name in any real schema has 36 characters"),
    ],
    check: .schema { document, sink in
      document.schema.forEachWrittenName { name in
        let length = name.text.utf8.count
        guard length > SchemaNames.maximumLength else { return }
        sink.report(
          name.subject,
          "\(name.what) '\(String(name.text.unicodeScalars.prefix(40)))…' has a name of \(length) "
            + "characters; CloudKit takes \(SchemaNames.maximumLength)",
          hint: "choose a shorter name", at: name.origin.name)
      }
    })
}
