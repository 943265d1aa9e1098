import RecordModel

extension SchemaRule {
  static let recordIDNotQueryable = SchemaRule(
    id: "RECORDID_NOT_QUERYABLE", category: .lint, defaultSeverity: .off,
    title: "Records of a type cannot be listed",
    effect: """
      Without QUERYABLE on ___recordID the Console and CloudKit JS cannot list the records of the \
      type: "Field 'recordName' is not marked queryable", "Type is not marked indexable: X". Apps \
      that fetch by identifier or by changes do not need it.
      """,
    remedy: "Add \"___recordID\" REFERENCE QUERYABLE.",
    evidence: [
      .server("both messages, reported by many projects"),
      .apple(
        "[Inspecting and Editing an iCloud Container's Schema]"
          + "(https://developer.apple.com/documentation/cloudkit/"
          + "inspecting-and-editing-an-icloud-container-s-schema) describes how to add it"),
    ],
    check: .schema { document, findings in
      for type in document.schema.recordTypes where !SchemaNames.isManaged(type.name) {
        // CloudKit creates Users without the index, and apps do not list it.
        if type.name == SchemaNames.usersType { continue }
        let field = type.field(named: SystemField.recordID.rawValue)
        if field?.options.contains(.queryable) == true { continue }
        findings.report(
          .field(SystemField.recordID.rawValue, of: type.name),
          "records of '\(type.name)' cannot be listed: ___recordID is not QUERYABLE",
          hint: "write \"___recordID\" REFERENCE QUERYABLE",
          at: field?.origin?.name ?? type.origin?.name)
      }
    })

  static let numberTypeUsed = SchemaRule(
    id: "NUMBER_TYPE_USED", category: .lint, defaultSeverity: .warning,
    title: "A field is NUMBER",
    effect: """
      The development environment creates NUMBER just in time for a number of unknown kind. Once \
      deployed, it stays NUMBER.
      """,
    remedy: "Use INT64 or DOUBLE before the field is deployed to production.",
    evidence: [.textSchemaPage, .corpus("no real schema has a NUMBER field")],
    check: .fields(at: \.typeSpan) { field, type in
      guard field.type.primitive == .number else { return nil }
      return Note(
        "the field '\(field.name)' of '\(type)' is \(field.type)",
        hint: "use INT64 or DOUBLE before it is deployed to production")
    })

  static let suppressionMalformed = SchemaRule(
    id: "SUPPRESSION_MALFORMED", category: .lint, defaultSeverity: .warning,
    title: "An allow comment is malformed",
    effect: """
      None in CloudKit; this is about RecordPack. A comment `// recordpack:allow RULE reason` \
      suppresses a known finding. A comment has no effect with an unknown rule, without a reason, \
      with a space before the subject, or after the last element without a subject. Another \
      spelling, such as `/// recordpack:allow` or `recordpack: allow`, has no effect either. At most 100 suppressions per \
      rule may have a `*` in their subject.
      """,
    remedy: "Name a rule (recordpack schema explain lists them) and give the reason.",
    evidence: [.inference("RecordPack's own convention")],
    check: .reportedElsewhere(Set(SchemaCheckKind.allCases)))

  static let suppressionUnused = SchemaRule(
    id: "SUPPRESSION_UNUSED", category: .lint, defaultSeverity: .info,
    title: "An allow comment or list entry suppresses nothing",
    effect: """
      None in CloudKit; this is about RecordPack. Remove a suppression together with its finding, \
      before it hides something else.
      """,
    remedy: "Remove the comment or the entry.",
    evidence: [.inference("RecordPack's own convention")],
    check: .reportedElsewhere(Set(SchemaCheckKind.allCases)))
}
