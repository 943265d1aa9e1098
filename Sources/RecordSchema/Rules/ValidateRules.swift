import RecordModel

extension SchemaRule {
  static let encryptedIndexed = SchemaRule(
    id: "ENCRYPTED_INDEXED", category: .validate, defaultSeverity: .error,
    title: "An encrypted field has an index",
    effect: "The server cannot read encrypted values, so it cannot index them.",
    remedy: "Remove the options, or the encryption of a field that is not deployed yet.",
    evidence: [
      .apple("CKRecord.encryptedValues: encrypted fields cannot have indexes"),
      .corpus("no encrypted field in a real schema has an option"),
    ],
    check: .fields { field, type in
      guard field.type.isEncrypted, !field.options.isEmpty else { return nil }
      return Note(
        "the field '\(field.name)' of '\(type)' is encrypted and cannot be "
          + Phrase.list(field.options.keywords, "or"), hint: "remove \(field.options)")
    })

  static let searchableOnNonString = SchemaRule(
    id: "SEARCHABLE_ON_NON_STRING", category: .validate, defaultSeverity: .error,
    title: "A field that is not a string is SEARCHABLE",
    effect: "SEARCHABLE is a full-text index. It is only available for STRING and LIST<STRING>.",
    remedy: "Remove SEARCHABLE.",
    evidence: [
      .community("LiveDiagnosticsClient: cktool rejects SEARCHABLE for numbers"),
      .corpus("exports have it on STRING and LIST<STRING> only"),
    ],
    check: .fields { field, type in
      guard field.options.contains(.searchable), field.type.primitive != .string,
        field.type.primitive != .asset, !field.type.isEncrypted
      else { return nil }
      return Note(
        "the \(field.type) field '\(field.name)' of '\(type)' cannot be SEARCHABLE",
        hint: "only STRING and LIST<STRING> can")
    })

  static let sortableOnList = SchemaRule(
    id: "SORTABLE_ON_LIST", category: .validate, defaultSeverity: .warning,
    title: "A list is SORTABLE",
    effect: "Lists have no order. No export has SORTABLE on a list.",
    remedy: "Remove SORTABLE.",
    evidence: [
      .corpus("exports have QUERYABLE and SEARCHABLE on lists, never SORTABLE"),
      .inference("the server's response is not known, hence a warning"),
    ],
    check: .fields { field, type in
      guard field.options.contains(.sortable), field.type.isList, !field.type.isEncrypted,
        field.type.primitive != .asset
      else { return nil }
      return Note(
        "the \(field.type) field '\(field.name)' of '\(type)' is SORTABLE",
        hint: "results cannot be sorted by a list; remove SORTABLE")
    })

  static let indexOnAsset = SchemaRule(
    id: "INDEX_ON_ASSET", category: .validate, defaultSeverity: .error,
    title: "An asset has an index",
    effect: """
      Assets are files stored beside the record; queries can neither compare them nor sort by \
      them.
      """,
    remedy: "Remove the options; index a field with the file's name or digest instead.",
    evidence: [
      .apple("CKQuery and CKRecord: assets cannot be part of a predicate"),
      .corpus("no export has an option on ASSET or LIST<ASSET>"),
    ],
    check: .fields { field, type in
      guard field.type.primitive == .asset, !field.options.isEmpty else { return nil }
      return Note(
        "the \(field.type) field '\(field.name)' of '\(type)' cannot be "
          + Phrase.list(field.options.keywords, "or"), hint: "remove \(field.options)")
    })

  static let reservedNameUnquoted = SchemaRule(
    id: "RESERVED_NAME_UNQUOTED", category: .validate, defaultSeverity: .error,
    title: "A reserved word is used as a name without quotation marks",
    effect: """
      The words grant, preferred, queryable, searchable and sortable must be quoted when used as \
      names; otherwise the server cannot parse the file.
      """,
    remedy: "Put the name in quotation marks; recordpack schema print --write does it.",
    evidence: [.quotingRules],
    check: .names { name in
      guard !name.origin.isQuoted, SchemaNames.isReserved(name.text) else { return nil }
      return Note("\(name.what) '\(name.text)' is a reserved word", hint: "write \"\(name.text)\"")
    })

  static let systemNameUnquoted = SchemaRule(
    id: "SYSTEM_NAME_UNQUOTED", category: .validate, defaultSeverity: .error,
    title: "A name of the server is not quoted",
    effect: """
      Names that begin with an underscore (system fields, built-in roles) and names with a dot \
      (cloudkit.share) must be quoted; otherwise the server cannot parse the file.
      """,
    remedy: "Put the name in quotation marks; recordpack schema print --write does it.",
    evidence: [.quotingRules, .corpus("exports quote all of them")],
    check: .names { name in
      guard !name.origin.isQuoted, name.isOfServer else { return nil }
      return Note("\(name.what) '\(name.text)' must be quoted", hint: "write \"\(name.text)\"")
    })

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

  static let fieldNameReserved = SchemaRule(
    id: "FIELD_NAME_RESERVED", category: .validate, defaultSeverity: .error,
    title: "A field has the name of a property of records",
    effect: """
      The names creationDate, creatorUserRecordID, etag, lastModifiedUserRecordID, \
      modificationDate, modifiedByDevice, recordChangeTag, recordID and recordType mean the \
      record's own properties in predicates. Such a field cannot be queried, and saving it \
      reportedly fails.
      """,
    remedy: "Choose another name, such as createdAt; once deployed, a name is permanent.",
    evidence: [
      .community(
        "SQLiteData, CloudKit guide ([pull request 214]"
          + "(https://github.com/pointfreeco/sqlite-data/pull/214)): the nine names "
          + "\"cannot be used as field names\""),
      .corpus("no field of a real schema has one of these names"),
    ],
    check: .fields { field, type in
      guard SchemaNames.reservedFieldNames.contains(field.name) else { return nil }
      return Note(
        "the field '\(field.name)' of '\(type)' has the name of a property of records",
        hint: "choose another name")
    })

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

  static let grantUndeclaredRole = SchemaRule(
    id: "GRANT_UNDECLARED_ROLE", category: .validate, defaultSeverity: .error,
    title: "A grant names a role that does not exist",
    effect: """
      A role must be built-in (_creator, _icloud, _world) or created by CREATE ROLE in the same \
      file.
      """,
    remedy: "Correct the name, or create the role.",
    evidence: [.inference("every role in a real schema is built in or created in the same file")],
    check: .schema { document, findings in
      let known = Set(SchemaNames.builtInRoles.map { ExactString($0) })
        .union(document.schema.roles.map { ExactString($0.name) })
      // With many roles, no suggestion is computed, because it would take time for each grant.
      let candidates = known.count <= 64 ? known.sorted().map(\.string) : []
      for type in document.schema.recordTypes {
        for grant in type.grants where !known.contains(ExactString(grant.role)) {
          findings.report(
            .grant(to: grant.role, on: type.name),
            "'\(type.name)' grants \(grant.permissions) to the role '\(grant.role)', which the "
              + "schema does not create",
            hint: SchemaHints.nearest(to: grant.role, among: candidates)
              ?? "add CREATE ROLE before the record types", at: grant.origin?.name)
        }
      }
    })

  static let duplicateType = SchemaRule(
    id: "DUPLICATE_TYPE", category: .validate, defaultSeverity: .error,
    title: "A record type is defined twice",
    effect: """
      A schema can have only one record type with a name. Comparisons use the first definition.
      """,
    remedy: "Merge the definitions, or rename one.",
    evidence: [.inference("no real schema has it")],
    check: .schema { document, findings in
      findings.reportRepetitions(of: document.schema.recordTypes) {
        (.type($0.name), "the record type '\($0.name)'")
      }
    })

  static let duplicateField = SchemaRule(
    id: "DUPLICATE_FIELD", category: .validate, defaultSeverity: .error,
    title: "A field is defined twice",
    effect: """
      A record type can have only one field with a name. Comparisons use the first definition.
      """,
    remedy: "Remove one of them.",
    evidence: [.inference("no real schema has it")],
    check: .schema { document, findings in
      for type in document.schema.recordTypes {
        findings.reportRepetitions(of: type.fields) {
          (.field($0.name, of: type.name), "the field '\($0.name)' of '\(type.name)'")
        }
      }
    })

  static let duplicateOption = SchemaRule(
    id: "DUPLICATE_OPTION", category: .validate, defaultSeverity: .warning,
    title: "An option or permission is repeated",
    effect: "The repetition has no effect. The server may not accept it.",
    remedy: "Remove one of them; recordpack schema print --write does so.",
    evidence: [.inference("the grammar allows any number of options, exports have one")],
    check: .schema { document, findings in
      for type in document.schema.recordTypes {
        for field in type.fields {
          for span in field.origin?.repeated ?? [] {
            findings.report(
              .field(field.name, of: type.name),
              "the field '\(field.name)' of '\(type.name)' has an option twice",
              hint: "\(field.options) is enough", at: span)
          }
        }
        for grant in type.grants {
          for span in grant.origin?.repeated ?? [] {
            findings.report(
              .grant(to: grant.role, on: type.name),
              "a grant to '\(grant.role)' on '\(type.name)' has a permission twice",
              hint: "\(grant.permissions) is enough", at: span)
          }
        }
      }
    })

  static let duplicateRole = SchemaRule(
    id: "DUPLICATE_ROLE", category: .validate, defaultSeverity: .error,
    title: "A role is created twice, or is built in",
    effect: "Every role is created once; _creator, _icloud and _world exist in every container.",
    remedy: "Remove the statement.",
    evidence: [.inference("no real schema has it")],
    check: .schema { document, findings in
      var seen = Set(SchemaNames.builtInRoles.map { ExactString($0) })
      for role in document.schema.roles where !seen.insert(ExactString(role.name)).inserted {
        findings.report(
          .role(role.name),
          SchemaNames.builtInRoles.contains(role.name)
            ? "the role '\(role.name)' is built in and cannot be created"
            : "the role '\(role.name)' is created twice",
          hint: "remove the statement", at: role.origin?.name)
      }
    })

  static let duplicateGrant = SchemaRule(
    id: "DUPLICATE_GRANT", category: .validate, defaultSeverity: .info,
    title: "A role has several grants on one type",
    effect: "The grants are combined. Exports have one grant per role.",
    remedy: "Merge them; recordpack schema print --write does so.",
    evidence: [.corpus("four hand-written schemas that were imported have it")],
    check: .schema { document, findings in
      for type in document.schema.recordTypes {
        var seen: Set<ExactString> = []
        var together: [ExactString: CloudSchema.Permissions] = [:]
        for grant in type.grants {
          together[ExactString(grant.role), default: []].formUnion(grant.permissions)
        }
        for grant in type.grants where !seen.insert(ExactString(grant.role)).inserted {
          findings.report(
            .grant(to: grant.role, on: type.name),
            "'\(type.name)' has another grant to '\(grant.role)'",
            hint: "combined, they are GRANT \(together[ExactString(grant.role)] ?? [])",
            at: grant.origin?.detail)
        }
      }
    })

  /// The maximum number of fields per record type besides the system fields.
  package static let maxUserFields = 256

  static let tooManyFields = SchemaRule(
    id: "TOO_MANY_FIELDS", category: .validate, defaultSeverity: .error,
    title: "A record type has more fields than CloudKit allows",
    effect: """
      A record type can have 256 fields in addition to the six system fields. CloudKit rejects more: \
      "Limit Exceeded".
      """,
    remedy: "Combine values in one BYTES or STRING field, or split the type.",
    evidence: [
      .apple(
        "[TN3164](https://developer.apple.com/documentation/technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer)"
      ),
      .community(
        "scout-db issues [496](https://github.com/kasianov-mikhail/scout-db/issues/496) and "
          + "[497](https://github.com/kasianov-mikhail/scout-db/issues/497) meet the limit"),
      .corpus("the largest real type has exactly 256 fields and the system fields"),
    ],
    check: .types { type in
      let count = type.userFields.count
      guard count > maxUserFields else { return nil }
      return Note(
        "the record type '\(type.name)' has \(count) fields besides the system fields; "
          + "CloudKit allows \(maxUserFields)")
    })

  static let noGrant = SchemaRule(
    id: "NO_GRANT", category: .validate, defaultSeverity: .warning,
    title: "A record type has no grant",
    effect: """
      No user may read, create or write records of the type in the public database. Private and \
      shared databases do not use grants and are not affected.
      """,
    remedy: """
      Add CloudKit's default grants: GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT \
      READ TO "_world". If the app has no public database, turn the rule off.
      """,
    evidence: [
      .corpus("five real files have types without grants; exports never do"),
      .inference("whether the server adds its defaults on import is not known"),
    ],
    check: .types { type in
      guard type.grants.isEmpty else { return nil }
      return Note(
        "the record type '\(type.name)' has no grant",
        hint: "no user can access it in the public database")
    })

  static let syntaxUnverified = SchemaRule(
    id: "SYNTAX_UNVERIFIED", category: .validate, defaultSeverity: .warning,
    title: "The syntax is unusual",
    effect: """
      RecordPack accepts it, but the server may not. This covers keywords in lower case, a comma \
      after the last entry, record types without entries, stray semicolons, and a byte order mark.
      """,
    remedy: "Print the schema in export form: recordpack schema print --write.",
    evidence: [.corpus("none of them occurs in any real schema")],
    check: .schema { document, findings in
      for diagnostic in document.diagnostics where diagnostic.severity == .warning {
        findings.report(.schema, diagnostic.message, hint: diagnostic.hint, at: diagnostic.span)
      }
    })
}

extension FindingCollector {
  /// Reports elements with the name of an earlier one.
  ///
  /// - Parameter description: Returns the subject of an element, and its description.
  fileprivate mutating func reportRepetitions<Element: NamedElement>(
    of elements: [Element], _ description: (Element) -> (SchemaSubject, String)
  ) {
    var first: [ExactString: SourceSpan?] = [:]
    for element in elements {
      let name = ExactString(element.name)
      guard let earlier = first.updateValue(element.nameSpan, forKey: name) else { continue }
      let (subject, text) = description(element)
      report(
        subject, "\(text) is defined twice",
        hint: earlier.map { "the first definition is on line \($0.line)" }, at: element.nameSpan)
    }
  }
}
