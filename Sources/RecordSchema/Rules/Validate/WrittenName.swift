/// A name as it stands in a schema, with what it names.
struct WrittenName {
  let text: String
  /// `the field`, `the record type` and so on.
  let what: String
  let subject: SchemaSubject
  let origin: Schema.Origin
  fileprivate let isField: Bool

  /// Whether it has the form of the server's own names.
  var isOfServer: Bool {
    text.utf8.first == UInt8(ascii: "_") || text.hasPrefix(SchemaNames.managedPrefix)
  }

  /// Whether rules on names of one's own do not concern it: names of CloudKit's managed types, the
  /// built-in roles, and everything with three underscores, for which there is a rule of its own.
  var isKnownToServer: Bool {
    if text.hasPrefix(SchemaNames.managedPrefix) {
      return SchemaNames.isPlain(String(text.dropFirst(SchemaNames.managedPrefix.count)))
    }
    if isField { return text.hasPrefix("___") }
    // Grants to roles that begin with an underscore are undeclared or built in, never illegal.
    return subject.role != nil && text.utf8.first == UInt8(ascii: "_")
  }
}

extension Schema {
  /// All names of the schema. One without origin was made by code and counts as quoted.
  var writtenNames: [WrittenName] {
    var names: [WrittenName] = []
    func add(
      _ text: String, _ what: String, _ subject: SchemaSubject, _ origin: Origin?,
      isField: Bool = false
    ) {
      let unknown = SourceSpan(offset: 0, length: 0, line: 1, column: 1)
      names.append(
        WrittenName(
          text: text, what: what, subject: subject,
          origin: origin ?? Origin(name: unknown, isQuoted: true), isField: isField))
    }
    for role in roles { add(role.name, "the role", .role(role.name), role.origin) }
    for type in recordTypes {
      add(type.name, "the record type", .type(type.name), type.origin)
      for field in type.fields {
        add(
          field.name, "the field", .field(field.name, of: type.name), field.origin, isField: true)
      }
      for grant in type.grants {
        add(grant.role, "the role", .grant(to: grant.role, on: type.name), grant.origin)
      }
    }
    return names
  }
}
