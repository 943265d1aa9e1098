extension SchemaRule {
  static let nameIllegal = SchemaRule(
    "NAME_ILLEGAL", .validate, .error,
    title: "A name has characters that CloudKit does not allow",
    effect: """
      Names of record types, fields and roles are a letter followed by letters, digits and \
      underscores, all ASCII. Names with an underscore at the start and names of the form \
      cloudkit.… are the server's own.
      """,
    remedy: "Choose another name; once deployed, a name is permanent.",
    evidence: [
      .quotingRules,
      Evidence(.corpus, "no name of a user's own has other characters in any real schema"),
    ],
    check: .schema { document, sink in
      for name in document.schema.writtenNames
      where !SchemaNames.isPlain(name.text) && !name.isKnownToServer {
        sink.report(
          name.subject, "\(name.what) '\(name.text)' \(reason(for: name.text))",
          hint: "a name is a letter followed by letters, digits and underscores",
          at: name.origin.name)
      }
    })

  private static func reason(for name: String) -> String {
    if name.isEmpty { return "is empty" }
    if name.utf8.first == UInt8(ascii: "_") { return "begins with an underscore, as the server's" }
    let odd = name.unicodeScalars.first { scalar in
      !SchemaNames.isPlain("a" + String(scalar))
    }
    guard let odd else { return "begins with a digit" }
    return "has the character '\(SourceExcerpt.printable(Array(String(odd).utf8)[...]))'"
  }
}
