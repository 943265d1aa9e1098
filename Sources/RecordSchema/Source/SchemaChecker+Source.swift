import RecordModel

extension SchemaChecker {
  /// Checks whether a schema has the record types and fields that source code uses, and whether it
  /// has the fields encrypted that the code uses so.
  ///
  /// A field whose record type the code does not tell is missing if no record type has it. CloudKit's
  /// own record types and fields are not checked. Comments in the code allow known findings: in the
  /// line, or above it, `// recordpack:allow FIELD_NOT_DEPLOYED reason`, and anywhere in the file
  /// `// recordpack:allow FIELD_NOT_DEPLOYED(Todo.order) reason`.
  ///
  /// - Throws: ``SchemaSyntaxError`` if the schema has errors.
  public func check(_ uses: SourceUses, against document: SchemaDocument) throws -> SchemaReport {
    var check = SourceCheck(
      schema: try document.validSchema(), allowances: SourceAllowances(uses.comments),
      sink: FindingSink(
        from: nil, to: document, matcher: AllowanceMatcher(configuration.allowances)))
    for id in SchemaRule.sourceRules {
      guard let rule = SchemaRule.named(id), let severity = active(rule) else { continue }
      check.sink.begin(rule, severity: severity)
      for use in uses.uses { check.report(use, under: id) }
    }
    if let severity = active(.suppressionMalformed) {
      check.sink.begin(.suppressionMalformed, severity: severity)
      for (fault, location) in check.allowances.malformed {
        check.sink.report(
          .schema, SchemaRule.Note(fault.message, hint: fault.hint), location: location)
      }
    }
    reportUnused(&check)
    let sink = check.sink
    var report = SchemaReport(
      question: .source, from: nil, to: document.name,
      findings: sink.findings.sorted(by: SchemaFinding.precedes),
      suppressed: sink.suppressed.sorted { SchemaFinding.precedes($0.finding, $1.finding) },
      omitted: sink.omitted)
    report.source = SchemaReport.CheckedSource(uses)
    return report
  }

  private func reportUnused(_ check: inout SourceCheck) {
    guard let severity = active(.suppressionUnused) else { return }
    check.sink.matcher = nil
    check.sink.begin(.suppressionUnused, severity: severity)
    for allowance in check.allowances.unused {
      guard case .comment(let location) = allowance.source,
        SchemaRule.sourceRules.contains(allowance.rule),
        let rule = SchemaRule.named(allowance.rule), active(rule) != nil
      else { continue }
      check.sink.report(
        .schema,
        SchemaRule.Note(
          "a comment allows \(allowance.rule), which has no finding here", hint: "remove it"),
        location: location)
    }
  }
}

/// The check of source code against one schema.
private struct SourceCheck {
  let table: RecordTypeTable
  let typeNames: [String]
  /// The fields of all record types by name.
  let fieldsByName: [ExactString: [CloudSchema.Field]]
  let fieldNames: [String]
  var allowances: SourceAllowances
  var sink: FindingSink

  init(schema: CloudSchema, allowances: SourceAllowances, sink: FindingSink) {
    table = RecordTypeTable(schema)
    typeNames = schema.recordTypes.map(\.name)
    let fields = schema.recordTypes.flatMap(\.fields)
    fieldsByName = Dictionary(grouping: fields) { ExactString($0.name) }
    fieldNames = Set(fields.map { ExactString($0.name) }).sorted().map(\.string)
    self.allowances = allowances
    self.sink = sink
  }

  mutating func report(_ use: SourceUse, under rule: SchemaRule.ID) {
    let subject = SchemaSubject(recordType: use.recordType, field: use.field)
    guard let note = note(use, rule) else { return }
    sink.report(
      subject, note, location: use.location,
      allowance: allowances.allowance(for: subject, of: rule, at: use.location))
  }

  private func note(_ use: SourceUse, _ rule: SchemaRule.ID) -> SchemaRule.Note? {
    if let type = use.recordType, type.hasPrefix("cloudkit.") { return nil }
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
    guard let type = use.recordType, table[type] == nil else { return nil }
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
      guard let known = table[type], table.field(named: field, of: type) == nil else { return nil }
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
      fields = table.field(named: name, of: type).map { [$0] } ?? []
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
