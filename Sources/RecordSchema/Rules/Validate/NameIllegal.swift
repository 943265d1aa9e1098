extension SchemaRule {
  static let nameIllegal = SchemaRule(
    "NAME_ILLEGAL", .validate, .error,
    title: "A name has characters that CloudKit does not allow",
    effect: """
      Names of record types, fields and roles are a letter followed by letters, digits and \
      underscores, all ASCII. Names with an underscore at the start and names of the form \
      cloudkit.… are the server's own; it has the record type cloudkit.share with fields of this \
      form, the roles _creator, _icloud and _world, and six system fields.
      """,
    remedy: "Choose another name; once deployed, a name is permanent.",
    evidence: [
      .quotingRules,
      Evidence(.corpus, "no name of a user's own has other characters in any real schema"),
      Evidence(.corpus, "cloudkit.share is the only type of this form in any real schema"),
    ],
    check: .schema { document, sink in
      document.schema.forEachWrittenName { name in
        if SchemaNames.isPlain(name.text) || name.isKnownToServer { return }
        sink.report(
          name.subject, "\(name.what) '\(name.text)' \(reason(for: name.text))",
          hint: "a name is a letter followed by letters, digits and underscores",
          at: name.origin.name)
      }
    })

  private static func reason(for name: String) -> String {
    if name.isEmpty { return "is empty" }
    if name.utf8.first == UInt8(ascii: "_") { return "begins with an underscore, as the server's" }
    if SchemaNames.isManaged(name) { return "begins with cloudkit., as the server's" }
    let odd = name.unicodeScalars.first { scalar in
      !SchemaNames.isPlain("a" + String(scalar))
    }
    guard let odd else { return "begins with a digit" }
    return "has the character '\(SourceExcerpt.printable(Array(String(odd).utf8)[...]))'"
  }
}
