/// A name in a schema, and the kind of element it names.
struct WrittenName {
  enum Kind {
    case createdRole, recordType, field(ofManagedType: Bool), grantedRole
  }

  let text: String
  let kind: Kind
  let subject: SchemaSubject
  let origin: Schema.Origin

  /// The kind as a phrase, such as `the field` or `the record type`.
  var what: String {
    switch kind {
    case .createdRole, .grantedRole: "the role"
    case .recordType: "the record type"
    case .field: "the field"
    }
  }

  /// Whether the name has the form of the server's own names.
  var isOfServer: Bool { isUnderscored || SchemaNames.isManaged(text) }

  private var isUnderscored: Bool { text.utf8.first == UInt8(ascii: "_") }

  /// Whether the name is the server's own, or is checked by another rule: a field with three
  /// underscores (SYSTEM_FIELD_UNKNOWN), a role that is granted but not created
  /// (GRANT_UNDECLARED_ROLE), or a built-in role that is created (DUPLICATE_ROLE).
  var isKnownToServer: Bool {
    switch kind {
    case .createdRole: SchemaNames.builtInRoles.contains(text)
    case .grantedRole: isUnderscored
    case .recordType: SchemaNames.managedTypes.contains(text)
    case .field(let isOfManagedType):
      text.utf8.starts(with: "___".utf8)
        || isOfManagedType && SchemaNames.isManaged(text)
          && SchemaNames.isPlain(String(text.dropFirst(SchemaNames.managedPrefix.count)))
    }
  }
}

extension Schema {
  /// Calls `body` with each name of the schema. Names created in code have no origin and count as
  /// quoted.
  func forEachWrittenName(_ body: (WrittenName) -> Void) {
    func tell(
      _ text: String, _ kind: WrittenName.Kind, _ subject: SchemaSubject, _ origin: Origin?
    ) {
      let unknown = SourceSpan(offset: 0, length: 0, line: 1, column: 1)
      body(
        WrittenName(
          text: text, kind: kind, subject: subject,
          origin: origin ?? Origin(name: unknown, isQuoted: true)))
    }
    for role in roles { tell(role.name, .createdRole, .role(role.name), role.origin) }
    for type in recordTypes {
      tell(type.name, .recordType, .type(type.name), type.origin)
      let field = WrittenName.Kind.field(
        ofManagedType: SchemaNames.managedTypes.contains(type.name))
      for element in type.fields {
        tell(element.name, field, .field(element.name, of: type.name), element.origin)
      }
      for grant in type.grants {
        tell(grant.role, .grantedRole, .grant(to: grant.role, on: type.name), grant.origin)
      }
    }
  }
}
