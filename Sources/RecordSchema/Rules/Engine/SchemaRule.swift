/// One rule: its identifier, what it looks for, and what is known about the reason for it.
public struct SchemaRule: Sendable, Identifiable {
  /// The stable identifier of a rule, such as `FIELD_REMOVED`.
  public struct ID: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    /// The identifier in upper case with underscores.
    public let rawValue: String
    /// Makes an identifier; whether there is such a rule is another question.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes an identifier; whether there is such a rule is another question.
    public init(stringLiteral value: String) { rawValue = value }
    /// The identifier.
    public var description: String { rawValue }
  }

  /// How well a fact about CloudKit is known.
  public enum Strength: String, Sendable, Hashable {
    /// Apple's documentation or samples say it.
    case apple = "documented by Apple"
    /// The server or the Console said it to people who reported it.
    case server = "seen in server messages"
    /// Counted in real schema files.
    case corpus = "counted in real schemas"
    /// People say it and show no message.
    case community = "claimed by users, unproven"
    /// Follows from the language or from other facts; nobody reported it.
    case inference = "our inference"
  }

  /// A source for what the rule says.
  public struct Evidence: Sendable, Hashable {
    /// How well it is known.
    public let strength: Strength
    /// The source, or what was seen.
    public let text: String

    init(_ strength: Strength, _ text: String) {
      self.strength = strength
      self.text = text
    }
  }

  /// What the rule looks at.
  enum Check: Sendable {
    /// One schema: the checked one, whatever the question.
    case schema(@Sendable (SchemaDocument, inout FindingSink) -> Void)
    /// Two schemas, in the questions named.
    case comparison(Set<SchemaQuestion>, @Sendable (SchemaComparison, inout FindingSink) -> Void)
    /// Stored records and subscriptions against the checked schema, whatever the question, where
    /// there are some.
    case records(@Sendable (RecordJudgement, inout FindingSink) -> Void)
    /// Not a check of its own: another part of the library reports under this rule.
    case reportedElsewhere(Set<SchemaQuestion>)
  }

  /// The stable identifier.
  public let id: ID
  /// What kind of question it answers.
  public let category: SchemaCategory
  /// How much a finding matters, if the configuration does not say otherwise.
  public let defaultSeverity: SchemaSeverity
  /// The rule in one line.
  public let title: String
  /// What happens in CloudKit.
  public let effect: String
  /// What to do.
  public let remedy: String
  /// Sources.
  public let evidence: [Evidence]
  let check: Check

  init(
    _ id: ID, _ category: SchemaCategory, _ severity: SchemaSeverity, title: String, effect: String,
    remedy: String, evidence: [Evidence], check: Check
  ) {
    self.id = id
    self.category = category
    defaultSeverity = severity
    self.title = title
    self.effect = effect
    self.remedy = remedy
    self.evidence = evidence
    self.check = check
  }

  /// Whether the rule looks at stored records, and so is asked only where there are some.
  public var needsRecords: Bool {
    if case .records = check { true } else { false }
  }

  /// The questions in which the rule is asked.
  public var questions: [SchemaQuestion] {
    switch check {
    // In a drift check the app's own schema is not in question, but a broken one cannot be needed.
    case .schema: [.validate, .deploy]
    case .records: [.deploy, .drift, .records]
    case .comparison(let questions, _), .reportedElsewhere(let questions):
      SchemaQuestion.allCases.filter(questions.contains)
    }
  }
}

extension SchemaRule {
  /// The page of documentation about the rule, in Markdown; `recordpack schema explain` prints it.
  public var explanation: String {
    var lines = ["# \(id)", "", title + ".", ""]
    lines.append("- Category: \(category.rawValue)")
    lines.append("- Default severity: \(defaultSeverity.rawValue)")
    let condition = needsRecords ? ", where records are at hand" : ""
    lines.append("- Asked by: " + questions.map(\.rawValue).joined(separator: ", ") + condition)
    lines += ["", "## What happens in CloudKit", "", effect, "", "## What to do", "", remedy, ""]
    lines += ["## How sure is this", ""]
    lines += evidence.map { "- \($0.strength.rawValue): \($0.text)" }
    return lines.joined(separator: "\n") + "\n"
  }
}
