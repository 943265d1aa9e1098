/// A name in a schema, and the kind of element it names.
struct DeclaredName {
  enum Kind {
    case createdRole, recordType, field(ofManagedType: Bool), grantedRole
  }

  let text: String
  let kind: Kind
  let subject: SchemaSubject
  let origin: CloudSchema.Origin

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

extension CloudSchema {
  /// Calls `body` with each name of the schema. Names created in code have no origin and count as
  /// quoted.
  fileprivate func forEachDeclaredName(_ body: (DeclaredName) -> Void) {
    func visit(_ element: some NamedElement, _ kind: DeclaredName.Kind, _ subject: SchemaSubject) {
      let origin = element.origin ?? Origin(name: .start, isQuoted: true)
      body(DeclaredName(text: element.name, kind: kind, subject: subject, origin: origin))
    }
    for role in roles { visit(role, .createdRole, .role(role.name)) }
    for type in recordTypes {
      visit(type, .recordType, .type(type.name))
      let field = DeclaredName.Kind.field(
        ofManagedType: SchemaNames.managedTypes.contains(type.name))
      for element in type.fields { visit(element, field, .field(element.name, of: type.name)) }
      for grant in type.grants {
        visit(grant, .grantedRole, .grant(to: grant.role, on: type.name))
      }
    }
  }
}

extension SchemaRule.Check {
  /// Checks the names of a schema.
  static func names(_ note: @escaping @Sendable (DeclaredName) -> Note?) -> Self {
    .schema { document, findings in
      document.schema.forEachDeclaredName { name in
        guard let note = note(name) else { return }
        findings.report(name.subject, note, at: name.origin.name)
      }
    }
  }
}
