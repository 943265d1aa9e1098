extension SchemaRule {
  static let nameIllegal = SchemaRule(
    id: "NAME_ILLEGAL", category: .validate, defaultSeverity: .error,
    title: "A name contains characters that CloudKit does not allow",
    effect: """
      Names of record types, fields and roles are a letter followed by letters, digits and \
      underscores, all ASCII. Names that begin with an underscore, and names of the form \
      cloudkit.…, are reserved for the server: the record type cloudkit.share with fields of this \
      form, the roles _creator, _icloud and _world, and six system fields.
      """,
    remedy: "Choose another name; once deployed, a name is permanent.",
    evidence: [
      .quotingRules, .corpus("no name of a user's own has other characters in any real schema"),
      .corpus("cloudkit.share is the only type of this form in any real schema"),
    ],
    check: .names { name in
      if SchemaNames.isPlain(name.text) || name.isKnownToServer { return nil }
      return Note(
        "\(name.what) '\(name.text)' \(reason(for: name.text))",
        hint: "a name is a letter followed by letters, digits and underscores")
    })

  private static func reason(for name: String) -> String {
    if name.isEmpty { return "is empty" }
    if name.utf8.first == UInt8(ascii: "_") {
      return "begins with an underscore, which is reserved for the server"
    }
    if SchemaNames.isManaged(name) {
      return "begins with cloudkit., which is reserved for the server"
    }
    let odd = name.unicodeScalars.first { !SchemaNames.isPlain("a" + String($0)) }
    guard let odd else { return "begins with a digit" }
    return "has the character '\(String(odd).printable)'"
  }
}
