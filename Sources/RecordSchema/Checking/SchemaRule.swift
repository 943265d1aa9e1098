/// A rule: its identifier, its check, and the evidence for it.
public struct SchemaRule: Sendable, Identifiable {
  /// The stable identifier of a rule, such as `FIELD_REMOVED`.
  public struct ID: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    /// The identifier, in upper case with underscores.
    public let rawValue: String
    /// Creates an identifier, whether or not such a rule exists.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates an identifier, whether or not such a rule exists.
    public init(stringLiteral value: String) { rawValue = value }
    /// The identifier.
    public var description: String { rawValue }
  }

  /// The strength of evidence about CloudKit.
  package enum Strength: String, Sendable, Hashable {
    /// Stated in Apple's documentation or samples.
    case apple = "documented by Apple"
    /// Reported by users as a message of the server or the Console.
    case server = "seen in server messages"
    /// Counted in real schema files.
    case corpus = "counted in real schemas"
    /// Claimed by users without a server message.
    case community = "claimed by users, unverified"
    /// Follows from the language or from other facts, but has not been reported.
    case inference = "our inference"
  }

  /// A source for a rule.
  package struct Evidence: Sendable, Hashable {
    /// The strength of the evidence.
    package let strength: Strength
    /// The source, or the observation.
    package let text: String
  }

  /// The input of a rule.
  enum Check: Sendable {
    /// A single schema: the checked one. Used by `validate` and `deploy`.
    case schema(@Sendable (SchemaDocument, inout FindingCollector) -> Void)
    /// Two schemas, for the given kinds of checks.
    case comparison(
      Set<SchemaCheckKind>, @Sendable (SchemaComparison, inout FindingCollector) -> Void)
    /// Stored records and subscriptions with the checked schema, if there are any. Used by all
    /// checks but `validate`.
    case records(@Sendable (RecordCheck, inout FindingCollector) -> Void)
    /// The model that the checked schema was derived from, if it was.
    case model(@Sendable (MirroredModel, inout FindingCollector) -> Void)
    /// Elements that a model needs in some cases, with the schema of production.
    case modelInProduction(@Sendable (MirroredModel, SchemaIndex, inout FindingCollector) -> Void)
    /// No check: other code reports findings under this rule.
    case reportedElsewhere(Set<SchemaCheckKind>)
  }

  /// The stable identifier.
  public let id: ID
  /// The category.
  public let category: SchemaCategory
  /// The severity of findings, unless the configuration overrides it.
  public let defaultSeverity: SchemaSeverity
  /// A one-line description of the rule.
  public let title: String
  /// The effect in CloudKit.
  package let effect: String
  /// The suggested fix.
  package let remedy: String
  /// The evidence for the rule.
  package let evidence: [Evidence]
  let check: Check

  /// Whether the rule checks stored records, and so only runs if there are any.
  package var needsRecords: Bool {
    if case .records = check { true } else { false }
  }

  /// Whether the rule checks the model that a schema was derived from, and so only runs if there is
  /// one.
  package var needsModel: Bool {
    switch check {
    case .model, .modelInProduction: true
    default: false
    }
  }

  /// The checks that apply the rule.
  package var checkKinds: [SchemaCheckKind] {
    switch check {
    // A drift check compares with production and does not validate the app's own schema.
    case .schema: [.validate, .deploy]
    case .records: [.deploy, .drift, .records]
    case .model: [.validate, .deploy, .drift]
    case .modelInProduction: [.drift]
    case .comparison(let kinds, _), .reportedElsewhere(let kinds):
      SchemaCheckKind.allCases.filter {
        kinds.contains($0) || $0 == .source && Self.sourceRules.contains(id)
      }
    }
  }

  /// The rules that ``SchemaChecker/check(_:against:)`` applies to source code.
  static let sourceRules: [ID] = [
    recordTypeNotDeployed.id, fieldNotDeployed.id, fieldEncryptionMismatch.id,
    mirroringNotScanned.id, noUseRecognised.id,
  ]

  /// The documentation page of the rule in Markdown, as printed by `recordpack schema explain`.
  public var explanation: String {
    var lines = ["# \(id)", "", title + ".", ""]
    lines += ["## In CloudKit", "", effect, "", "## Remedy", "", remedy, "", "## Rule", ""]
    lines.append("- Category: \(category.rawValue)")
    lines.append("- Default severity: \(defaultSeverity.rawValue)")
    let condition =
      needsRecords
      ? ", if records are available" : needsModel ? ", if the schema is that of a model" : ""
    lines += ["- Used by: " + checkKinds.map(\.rawValue).joined(separator: ", ") + condition, ""]
    lines += ["## Evidence", ""]
    lines += evidence.map { "- \($0.strength.rawValue): \($0.text)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// All rules by category, in the order of the documentation.
  package static let all: [SchemaRule] = [
    // MODEL
    modelNotRead, modelNotMirrored, modelFieldConflict, modelNameReserved, modelValueRequired,
    modelRelationshipRequired, modelInverseMissing, modelRelationshipOrdered, modelUnique,
    modelDeletionDenied, modelTypeUnsupported, modelPropertyIgnored, modelConfiguration,
    modelPrimaryKey,
    // DEPLOY
    recordTypeRemoved, fieldRemoved, fieldTypeChanged, fieldEncryptionChanged,
    numberPreferenceChanged, systemFieldRetyped, systemFieldUnknown, managedTypeMissing,
    usersTypeMissing, roleRemoved, probableRename,
    // CLIENT
    indexRemoved, grantRemoved, recordTypeNotDeployed, fieldNotDeployed, fieldTypeMismatch,
    fieldEncryptionMismatch, indexNotDeployed, grantNotDeployed, roleNotDeployed,
    subscriptionTypeUnknown, subscriptionFieldUnknown, subscriptionFieldNotQueryable,
    subscriptionTypeNotIndexable, companionNotDeployed, moveReceiptNotDeployed,
    linkTypeNotDeployed, mirroringNotScanned, noUseRecognised,
    // SECURITY
    grantAdded, grantReadAdded,
    // DATA
    recordTypeUnknown, recordFieldUnknown, recordValueType, recordListMismatch,
    recordValueEncrypted, recordValuePlain, recordEncryptedUnsupported, recordEncryptedPublic,
    recordNameLength, recordNameCharacters, recordZoneName, recordTooLarge, recordLocationRange,
    relationshipDangling,
    // VALIDATE
    encryptedIndexed, searchableOnNonString, sortableOnList, indexOnAsset, reservedNameUnquoted,
    systemNameUnquoted, nameIllegal, fieldNameReserved, nameTooLong, grantUndeclaredRole,
    duplicateType, duplicateField, duplicateOption, duplicateRole, duplicateGrant, tooManyFields,
    noGrant, syntaxUnverified, entityNameMissing, mirroredFieldType, companionWithoutField,
    linkFieldMissing, moveReceiptMissing,
    // LINT
    recordIDNotQueryable, numberTypeUsed, suppressionMalformed, suppressionUnused,
    // INFO
    recordTypeAdded, fieldAdded, roleAdded, indexAdded, grantExtended, numberPreferenceSet,
    productionDiffers,
  ]

  private static let byID = Dictionary(
    all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  /// Returns the rule with an identifier, or `nil` if there is none.
  public static func named(_ id: ID) -> SchemaRule? { byID[id] }

  /// The text of a finding.
  struct Note {
    let message: String
    let hint: String?

    init(_ message: String, hint: String? = nil) {
      self.message = message
      self.hint = hint
    }
  }
}

extension FindingCollector {
  mutating func report(
    _ subject: SchemaSubject, _ note: SchemaRule.Note, at span: SourceSpan? = nil,
    former: SourceSpan? = nil
  ) {
    report(subject, note.message, hint: note.hint, at: span, former: former)
  }
}

/// Checks that report each element of a kind for which `note` returns text.
extension SchemaRule.Check {
  typealias Note = SchemaRule.Note
  typealias FieldSpan = KeyPath<CloudSchema.Field, SourceSpan?> & Sendable

  static func types(_ note: @escaping @Sendable (CloudSchema.RecordType) -> Note?) -> Self {
    .schema { document, findings in
      for type in document.schema.recordTypes {
        guard let note = note(type) else { continue }
        findings.report(.type(type.name), note, at: type.nameSpan)
      }
    }
  }

  static func fields(
    at span: FieldSpan = \.nameSpan,
    _ note: @escaping @Sendable (CloudSchema.Field, _ type: String) -> Note?
  ) -> Self {
    .schema { document, findings in
      for type in document.schema.recordTypes {
        for field in type.fields {
          guard let note = note(field, type.name) else { continue }
          findings.report(.field(field.name, of: type.name), note, at: field[keyPath: span])
        }
      }
    }
  }

  /// Checks the fields that are in both schemas and differ.
  static func changedFields(
    _ kind: SchemaCheckKind, at span: FieldSpan = \.nameSpan,
    _ note: @escaping @Sendable (NamedPair<CloudSchema.Field>, _ type: String) -> Note?
  ) -> Self {
    .comparison([kind]) { comparison, findings in
      for type in comparison.types {
        for field in type.fields {
          guard let note = note(field, type.name) else { continue }
          findings.report(
            .field(field.name, of: type.name), note, at: field.to[keyPath: span],
            former: field.from[keyPath: span])
        }
      }
    }
  }

  /// Checks the fields that only the new schema has, in types that both have.
  static func addedFields(
    _ kind: SchemaCheckKind,
    _ note: @escaping @Sendable (CloudSchema.Field, _ type: String) -> Note
  ) -> Self {
    .comparison([kind]) { comparison, findings in
      for type in comparison.types {
        for field in type.addedFields {
          let subject = SchemaSubject.field(field.name, of: type.name)
          findings.report(subject, note(field, type.name), at: field.nameSpan)
        }
      }
    }
  }

  /// Checks the fields that only the old schema has, in types that both have.
  static func removedFields(
    _ kind: SchemaCheckKind,
    _ note: @escaping @Sendable (CloudSchema.Field, _ type: String) -> Note
  ) -> Self {
    .comparison([kind]) { comparison, findings in
      for type in comparison.types {
        for field in type.removedFields {
          let subject = SchemaSubject.field(field.name, of: type.name)
          findings.report(subject, note(field, type.name), former: field.nameSpan)
        }
      }
    }
  }

  static func changedGrants(
    _ kind: SchemaCheckKind,
    _ note: @escaping @Sendable (GrantChange, _ type: String) -> Note?
  ) -> Self {
    .comparison([kind]) { comparison, findings in
      for type in comparison.types {
        for grant in type.grants {
          guard let note = note(grant, type.name) else { continue }
          findings.report(
            .grant(to: grant.name, on: type.name), note, at: grant.to.nameSpan,
            former: grant.from.nameSpan)
        }
      }
    }
  }

  /// Checks the record types or roles that only the new schema has.
  static func added<Element: TopLevelElement>(
    _ elements: KeyPath<SchemaComparison, [Element]> & Sendable, _ kind: SchemaCheckKind,
    _ note: @escaping @Sendable (Element) -> Note
  ) -> Self {
    .comparison([kind]) { comparison, findings in
      for element in comparison[keyPath: elements] {
        findings.report(element.subject, note(element), at: element.nameSpan)
      }
    }
  }

  /// Checks the record types or roles that only the old schema has.
  static func removed<Element: TopLevelElement>(
    _ elements: KeyPath<SchemaComparison, [Element]> & Sendable, _ kind: SchemaCheckKind,
    _ note: @escaping @Sendable (Element) -> Note?
  ) -> Self {
    .comparison([kind]) { comparison, findings in
      for element in comparison[keyPath: elements] {
        guard let note = note(element) else { continue }
        findings.report(element.subject, note, former: element.nameSpan)
      }
    }
  }

  /// Combines comparisons for one kind of check.
  static func all(_ kind: SchemaCheckKind, _ checks: [Self]) -> Self {
    .comparison([kind]) { comparison, findings in
      for case .comparison(_, let body) in checks { body(comparison, &findings) }
    }
  }

  /// Reports the problems that ``RecordCheck`` found under the rule.
  static func data(hint: String) -> Self {
    .records { check, findings in check.report(hint: hint, to: &findings) }
  }

  /// Checks the fields that the predicates of subscriptions compare. The field is `nil` if
  /// production does not have it.
  static func comparedFields(
    _ note:
      @escaping @Sendable (
        CloudSchema.Field?, SubscriptionRequirements, SubscriptionRequirements.Comparison,
        _ type: String
      ) -> Note?
  ) -> Self {
    .records { check, findings in
      for watch in check.subscriptions {
        guard let type = watch.recordType.flatMap({ check.production[$0] }) else { continue }
        for filter in watch.comparisons {
          let field = filter.field(of: type.name, in: check.production)
          guard let note = note(field, watch, filter, type.name) else { continue }
          findings.report(.field(field?.name ?? filter.name, of: type.name), note)
        }
      }
    }
  }
}
