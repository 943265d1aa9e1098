import RecordModel

extension SchemaRule {
  static let recordTypeRemoved = SchemaRule(
    id: "RECORD_TYPE_REMOVED", category: .deploy, defaultSeverity: .error,
    title: "A record type of production is missing",
    effect: """
      Record types in production are permanent. Importing a schema that lacks one fails as a whole \
      and changes nothing. The error is "invalid attempt to delete a record type which is active \
      in a production container". An import replaces the whole development schema, so a file with only \
      the new types removes all others.
      """,
    remedy: """
      Keep the type in the file, even if no app uses it any more, with a comment that says so. If \
      the file was meant as an addition, export the production schema and add to that.
      """,
    evidence: [
      .textSchemaPage, .quickStart,
      .server("the message, reported by users who imported partial files"),
    ],
    check: .removed(\.removedTypes, .deploy) { type in
      guard !SchemaNames.isManaged(type.name) else { return nil }
      return Note(
        "the record type '\(type.name)' with \(Phrase.count(type.userFields.count, "field")) is "
          + "missing", hint: "keep it: record types in production cannot be removed")
    })

  static let fieldRemoved = SchemaRule(
    id: "FIELD_REMOVED", category: .deploy, defaultSeverity: .error,
    title: "A field of production is missing",
    effect: """
      Fields in production are permanent. A schema that lacks one is invalid, and CloudKit changes \
      nothing.
      """,
    remedy: """
      Keep the field in the file, even if no app uses it any more, with a comment that says so. \
      Removing its indexes is a separate matter: see INDEX_REMOVED.
      """,
    evidence: [.textSchemaPage, .quickStart],
    check: .removedFields(.deploy) { field, type in
      Note(
        "the field \(Phrase.field(field)) of '\(type)' is missing",
        hint: "keep it: fields in production cannot be removed")
    })

  static let fieldTypeChanged = SchemaRule(
    id: "FIELD_TYPE_CHANGED", category: .deploy, defaultSeverity: .error,
    title: "A field of production has a different type",
    effect: """
      The type of a field in production is permanent; only new types and fields can be deployed. \
      This includes changes between a list and a single value, from STRING to REFERENCE, and from \
      NUMBER to INT64. Existing records keep values of the old type.
      """,
    remedy: """
      Add a new field with the new type, write both fields while old versions of the app are in \
      use, and keep the old field.
      """,
    evidence: [
      .quickStart,
      .community("users report that the Console offers no type change on deployed fields"),
    ],
    check: .changedFields(.deploy, at: \.typeSpan) { field, type in
      guard field.from.type.shape != field.to.type.shape else { return nil }
      // A wrong type of a system field has its own rule.
      if let system = SystemField(rawValue: field.name), field.to.type != system.type {
        return nil
      }
      return Note(
        "the field '\(field.name)' of '\(type)' is \(field.from.type) in production and "
          + "\(field.to.type) here",
        hint: "keep \(field.from.type) and add a field with another name")
    })

  static let fieldEncryptionChanged = SchemaRule(
    id: "FIELD_ENCRYPTION_CHANGED", category: .deploy, defaultSeverity: .error,
    title: "A field of production becomes encrypted or plain",
    effect: """
      Whether a field is encrypted is fixed when it is first deployed. Only a new field can be \
      encrypted, and an encrypted field stays encrypted. If an app does not match the schema, \
      saving fails: "Attempt to save encrypted data in non encrypted field type".
      """,
    remedy: """
      Add a new field with the desired encryption, copy the values in the app, and keep the old \
      field.
      """,
    evidence: [.encryptedValues, .server("\(mistKitIssue) quotes the messages for a mismatch")],
    check: .changedFields(.deploy, at: \.typeSpan) { field, type in
      let isEncrypted = field.to.type.isEncrypted
      guard field.from.type.isEncrypted != isEncrypted else { return nil }
      let (was, becomes) = isEncrypted ? ("plain", "encrypted") : ("encrypted", "plain")
      return Note(
        "the field '\(field.name)' of '\(type)' is \(was) in production (\(field.from.type)) and "
          + "\(becomes) here (\(field.to.type))",
        hint: "keep it \(was) and add a field with another name")
    })

  static let numberPreferenceChanged = SchemaRule(
    id: "NUMBER_PREFERENCE_CHANGED", category: .deploy, defaultSeverity: .error,
    title: "A NUMBER field of production has a different preference",
    effect: """
      The development environment creates a NUMBER field for a number just in time. The field may \
      have PREFERRED AS INT64 or DOUBLE. Once deployed, the preference cannot be changed or \
      removed.
      """,
    remedy: "Keep production's preference.",
    evidence: [.textSchemaPage],
    check: .changedFields(.deploy, at: \.typeSpan) { field, type in
      guard field.to.type.shape == field.from.type.shape,
        let preference = field.from.type.numberPreference,
        preference != field.to.type.numberPreference
      else { return nil }
      return Note(
        "the field '\(field.name)' of '\(type)' is \(field.from.type) in production and "
          + "\(field.to.type) here", hint: "keep PREFERRED AS \(preference.rawValue)")
    })

  static let systemFieldRetyped = SchemaRule(
    id: "SYSTEM_FIELD_RETYPED", category: .deploy, defaultSeverity: .error,
    title: "A system field has the wrong type",
    effect: """
      The six system fields have fixed types: ___createTime and ___modTime TIMESTAMP, \
      ___createdBy, ___modifiedBy and ___recordID REFERENCE, ___etag STRING. A schema that gives \
      one another type is invalid.
      """,
    remedy: "Use the field's own type, or omit the field if it has no index.",
    evidence: [.textSchemaPage],
    check: .fields(at: \.typeSpan) { field, type in
      guard let system = SystemField(rawValue: field.name), field.type != system.type
      else {
        return nil
      }
      return Note(
        "the system field '\(field.name)' of '\(type)' is \(field.type) here; its type is "
          + "\(system.type)", hint: "write \(system.type)")
    })

  static let systemFieldUnknown = SchemaRule(
    id: "SYSTEM_FIELD_UNKNOWN", category: .deploy, defaultSeverity: .error,
    title: "A field has a system field's form of name, but is not a system field",
    effect: """
      Names that begin with three underscores are reserved for the server's six system fields. \
      Others cannot be created.
      """,
    remedy: "Correct the spelling, or use a name that begins with a letter.",
    evidence: [
      .textSchemaPage, .inference("the server's response to such a name has not been reported"),
    ],
    check: .fields { field, type in
      guard field.name.utf8.starts(with: "___".utf8),
        SystemField(rawValue: field.name) == nil
      else { return nil }
      let known = SystemField.allCases.map(\.rawValue)
      return Note(
        "there is no system field '\(field.name)' (in '\(type)')",
        hint: SchemaHints.nearest(to: field.name, among: known)
          ?? "the system fields are " + known.joined(separator: ", "))
    })

  static let managedTypeMissing = SchemaRule(
    id: "MANAGED_TYPE_MISSING", category: .deploy, defaultSeverity: .error,
    title: "A record type that CloudKit manages is missing",
    effect: """
      CloudKit creates some record types itself, such as cloudkit.share when the first share is \
      saved. A schema that lacks one is rejected with "invalid attempt to delete cloudkit managed \
      record type". Without cloudkit.share in production, saving a share there fails with "Cannot \
      create new type cloudkit.share in production schema".
      """,
    remedy: "Keep the type as in the export, with its name in quotation marks.",
    evidence: [.server("both messages, reported by several projects (HousePulse, PaperTrail)")],
    check: .removed(\.removedTypes, .deploy) { type in
      guard SchemaNames.isManaged(type.name) else { return nil }
      return Note(
        "the record type '\(type.name)', which CloudKit manages, is missing",
        hint: "keep it as in the export of production")
    })

  static let usersTypeMissing = SchemaRule(
    id: "USERS_TYPE_MISSING", category: .deploy, defaultSeverity: .info,
    title: "The record type Users is omitted",
    effect: """
      Every container has the record type Users. Exports contain it; files written by hand often \
      omit it and can be imported nevertheless. RecordPack then assumes production's grants and \
      its field roles, and reports user-defined fields and indexes of Users as removed.
      """,
    remedy: "Copy Users from an export into the file.",
    evidence: [.corpus("all exports have it, many files written by hand do not")],
    check: .comparison([.deploy]) { comparison, findings in
      let isUsers = { (type: CloudSchema.RecordType) in type.name == SchemaNames.usersType }
      guard let users = comparison.from.recordTypes.first(where: isUsers),
        !comparison.to.recordTypes.contains(where: isUsers)
      else { return }
      findings.report(
        .type(users.name), "the record type 'Users' is omitted; every container has it",
        hint: "copy it from an export, so that its fields and indexes are kept",
        former: users.origin?.name)
    })

  static let roleRemoved = SchemaRule(
    id: "ROLE_REMOVED", category: .deploy, defaultSeverity: .warning,
    title: "A role of production is missing",
    effect: """
      Security roles are deployed with the schema. Whether production accepts the removal, and \
      what happens to the accounts with the role, has not been reported.
      """,
    remedy: "Keep CREATE ROLE until you have tested the deployment in the Console.",
    evidence: [.inference("roles are part of what is deployed; no report of a removal was found")],
    check: .removed(\.removedRoles, .deploy) { role in
      Note(
        "the role '\(role.name)' is missing",
        hint: "production may not accept the removal of a role")
    })

  static let probableRename = SchemaRule(
    id: "PROBABLE_RENAME", category: .deploy, defaultSeverity: .note,
    title: "An element was probably renamed",
    effect: """
      CloudKit does not support renaming: a new name is a new field or type, and the old one is \
      missing, which production rejects. Values under the old name are not available under the new \
      one.
      """,
    remedy: """
      Keep both names. Copy the values in the app, or use a RecordPack migration plan for \
      archives.
      """,
    evidence: [
      .corpus("scout renamed user_id to install_id and device_id in six types at once"),
      .inference("one removed and one added element with common fields, or a similar name"),
    ],
    check: .comparison([.deploy]) { comparison, findings in
      for type in comparison.types {
        for guess in RenameGuess.fields(type.removedFields, type.addedFields) {
          let (old, new) = (guess.from.name, guess.to.name)
          findings.report(
            .field(old, of: type.name),
            "the field '\(old)' of '\(type.name)' was probably renamed to '\(new)'",
            hint: "keep '\(old)' too: renaming a field removes it", at: guess.to.nameSpan,
            former: guess.from.nameSpan)
        }
      }
      for guess in RenameGuess.types(comparison.removedTypes, comparison.addedTypes) {
        let (old, new) = (guess.from.name, guess.to.name)
        findings.report(
          .type(old), "the record type '\(old)' was probably renamed to '\(new)'",
          hint: "keep '\(old)' too: renaming a type removes it", at: guess.to.nameSpan,
          former: guess.from.nameSpan)
      }
    })
}
