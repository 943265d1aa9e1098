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
  public enum Strength: String, Sendable, Hashable {
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
  public struct Evidence: Sendable, Hashable {
    /// The strength of the evidence.
    public let strength: Strength
    /// The source, or the observation.
    public let text: String
  }

  /// The input of a rule.
  enum Check: Sendable {
    /// A single schema: the checked one. Used by `validate` and `deploy`.
    case schema(@Sendable (SchemaDocument, inout FindingSink) -> Void)
    /// Two schemas, for the given questions.
    case comparison(Set<SchemaQuestion>, @Sendable (SchemaComparison, inout FindingSink) -> Void)
    /// Stored records and subscriptions with the checked schema, if there are any. Used by all
    /// questions but `validate`.
    case records(@Sendable (RecordCheck, inout FindingSink) -> Void)
    /// No check: other code reports findings under this rule.
    case reportedElsewhere(Set<SchemaQuestion>)
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
  public let effect: String
  /// The suggested fix.
  public let remedy: String
  /// The evidence for the rule.
  public let evidence: [Evidence]
  let check: Check

  /// Whether the rule checks stored records, and so only runs if there are any.
  public var needsRecords: Bool {
    if case .records = check { true } else { false }
  }

  /// The questions for which the rule runs.
  public var questions: [SchemaQuestion] {
    switch check {
    // A drift check compares with production and does not validate the app's own schema.
    case .schema: [.validate, .deploy]
    case .records: [.deploy, .drift, .records]
    case .comparison(let questions, _), .reportedElsewhere(let questions):
      SchemaQuestion.allCases.filter {
        questions.contains($0) || $0 == .source && Self.sourceRules.contains(id)
      }
    }
  }

  /// The rules that ``SchemaChecker/check(_:against:)`` applies to source code.
  static let sourceRules: [ID] = [
    recordTypeNotDeployed.id, fieldNotDeployed.id, fieldEncryptionMismatch.id,
  ]

  /// The documentation page of the rule in Markdown, as printed by `recordpack schema explain`.
  public var explanation: String {
    var lines = ["# \(id)", "", title + ".", ""]
    lines.append("- Category: \(category.rawValue)")
    lines.append("- Default severity: \(defaultSeverity.rawValue)")
    let condition = needsRecords ? ", if records are available" : ""
    lines.append("- Used by: " + questions.map(\.rawValue).joined(separator: ", ") + condition)
    lines += ["", "## What happens in CloudKit", "", effect, "", "## What to do", "", remedy, ""]
    lines += ["## Evidence", ""]
    lines += evidence.map { "- \($0.strength.rawValue): \($0.text)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// All rules by category, in the order of the documentation.
  public static let all: [SchemaRule] = [
    // DEPLOY
    recordTypeRemoved, fieldRemoved, fieldTypeChanged, fieldEncryptionChanged,
    numberPreferenceChanged, systemFieldRetyped, systemFieldUnknown, managedTypeMissing,
    usersTypeMissing, roleRemoved, probableRename,
    // CLIENT
    indexRemoved, grantRemoved, recordTypeNotDeployed, fieldNotDeployed, fieldTypeMismatch,
    fieldEncryptionMismatch, indexNotDeployed, grantNotDeployed, roleNotDeployed,
    subscriptionTypeUnknown, subscriptionFieldUnknown, subscriptionFieldNotQueryable,
    subscriptionTypeNotIndexable,
    // SECURITY
    grantAdded, grantReadAdded,
    // DATA
    recordTypeUnknown, recordFieldUnknown, recordValueType, recordListMismatch,
    recordValueEncrypted, recordValuePlain, recordEncryptedUnsupported, recordEncryptedPublic,
    recordNameLength, recordNameCharacters, recordZoneName, recordTooLarge, recordLocationRange,
    // VALIDATE
    encryptedIndexed, searchableOnNonString, sortableOnList, indexOnAsset, reservedNameUnquoted,
    systemNameUnquoted, nameIllegal, nameTooLong, grantUndeclaredRole, duplicateType,
    duplicateField,
    duplicateOption, duplicateRole, duplicateGrant, tooManyFields, noGrant, syntaxUnverified,
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
}
