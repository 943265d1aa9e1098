import RecordModel

/// The check of source code against one schema.
struct CodeCheck {
  private let index: SchemaIndex
  private let typeNames: [String]
  /// The fields of all record types by name.
  private let fieldsByName: [ExactString: [CloudSchema.Field]]
  private let fieldNames: [String]

  init(_ schema: CloudSchema) {
    index = SchemaIndex(schema)
    typeNames = schema.recordTypes.map(\.name)
    let fields = schema.recordTypes.flatMap(\.fields)
    fieldsByName = Dictionary(grouping: fields) { ExactString($0.name) }
    fieldNames = fieldsByName.keys.sorted().map(\.string)
  }

  func report(_ use: SourceUse, under rule: SchemaRule.ID, to findings: inout FindingCollector) {
    guard let note = note(use, rule) else { return }
    findings.report(
      SchemaSubject(recordType: use.recordType, field: use.field), note.message, hint: note.hint,
      location: use.location)
  }

  private func note(_ use: SourceUse, _ rule: SchemaRule.ID) -> SchemaRule.Note? {
    // CloudKit makes its types itself, but production has that of shares only after a deployment.
    if let type = use.recordType, type.hasPrefix("cloudkit."),
      type != "cloudkit.share" || use.field != nil
    {
      return nil
    }
    guard let field = use.field else {
      return rule == SchemaRule.recordTypeNotDeployed.id ? noteOnType(use) : nil
    }
    // System fields are read and queried under names of their own.
    if use.access != .write, SourceUse.systemFields.contains(field) { return nil }
    if field.hasPrefix("___") || field.hasPrefix("cloudkit.") { return nil }
    switch rule {
    case SchemaRule.fieldNotDeployed.id: return noteOnField(field, use)
    case SchemaRule.fieldEncryptionMismatch.id: return noteOnEncryption(field, use)
    default: return nil
    }
  }

  private func noteOnType(_ use: SourceUse) -> SchemaRule.Note? {
    guard let type = use.recordType, index[type] == nil else { return nil }
    var near = NearNames(type)
    for name in typeNames { near.add(name) }
    let effect =
      use.access == .write
      ? "saving one fails with: " + ServerMessage.cannotCreateType(type)
      : "a query fails with: " + ServerMessage.typeNotFound(type)
    return SchemaRule.Note(
      "production has no record type '\(type)'; \(effect)", hint: Self.hint(near))
  }

  private func noteOnField(_ field: String, _ use: SourceUse) -> SchemaRule.Note? {
    var near = NearNames(field)
    if let type = use.recordType {
      guard let known = index[type], index.field(named: field, of: type) == nil else { return nil }
      for other in known.fields { near.add(other.name) }
      let effect =
        use.access == .write
        ? "; saving it fails with: " + ServerMessage.cannotCreateField(field, in: type) : ""
      return SchemaRule.Note(
        "production has no field '\(field)' in '\(type)'\(effect)", hint: Self.hint(near))
    }
    guard fieldsByName[ExactString(field)] == nil else { return nil }
    for name in fieldNames { near.add(name) }
    return SchemaRule.Note(
      "production has no field '\(field)' in any record type", hint: Self.hint(near))
  }

  private static func hint(_ near: NearNames) -> String {
    guard !near.best.isEmpty else { return "deploy the schema before the app is released" }
    let names = near.best.map { "'\($0)'" }.joined(separator: " or ")
    return "did you mean \(names)? Otherwise deploy the schema before the app is released"
  }

  private func noteOnEncryption(_ name: String, _ use: SourceUse) -> SchemaRule.Note? {
    guard let isEncrypted = use.isEncrypted else { return nil }
    let fields: [CloudSchema.Field]
    if let type = use.recordType {
      fields = index.field(named: name, of: type).map { [$0] } ?? []
    } else {
      fields = fieldsByName[ExactString(name)] ?? []
    }
    // Of several types, one may be the right one.
    guard let field = fields.first, fields.allSatisfy({ $0.type.isEncrypted != isEncrypted }) else {
      return nil
    }
    let place = use.recordType.map { " of '\($0)'" } ?? ""
    return SchemaRule.Note(
      "the field '\(name)'\(place) is \(field.type) in production, and used "
        + (isEncrypted ? "through encryptedValues here" : "as a plain value here"),
      hint: field.type.isEncrypted ? "use encryptedValues" : "use it as a plain value")
  }
}

extension SourceUse {
  /// The names of system fields in predicates, sort descriptors and key-value coding (Apple,
  /// `CKRecord`, `CKQuery`).
  static let systemFields: Set<String> = [
    "recordID", "recordName", "recordType", "creationDate", "modificationDate",
    "creatorUserRecordID", "lastModifiedUserRecordID", "recordChangeTag", "parent", "share",
    "createdTimestamp", "modifiedTimestamp", "createdUserRecordName", "modifiedUserRecordName",
    "allTokens",
  ]
}
