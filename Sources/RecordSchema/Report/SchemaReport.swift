/// The answer to a question about schemas: what the rules found, and what was let pass.
public struct SchemaReport: Sendable, Hashable {
  /// A finding that somebody allowed to pass.
  public struct Suppressed: Sendable, Hashable {
    /// What was found.
    public var finding: SchemaFinding
    /// Who let it pass, and why.
    public var allowance: SchemaAllowance
  }

  /// The stored records that were part of the check.
  public struct CheckedRecords: Sendable, Hashable {
    /// Their name, such as the bundle's path.
    public var source: String
    /// How many records there were.
    public var records: Int
    /// How many subscriptions there were.
    public var subscriptions: Int

    init(_ census: RecordCensus) {
      source = census.source
      records = census.recordCount
      subscriptions = census.subscriptions.count
    }
  }

  /// Findings of a rule that were counted and are not listed.
  public struct Omitted: Sendable, Hashable {
    /// The rule.
    public var rule: SchemaRule.ID
    /// Their severity.
    public var severity: SchemaSeverity
    /// How many there are besides those that are listed.
    public var findings = 0
    /// How many of those that may pass there are besides those that are listed.
    public var suppressed = 0
  }

  /// How many findings of one rule are listed, and how many of those that may pass: 1,000. The
  /// others are counted.
  public static let maximumFindings = 1000

  /// The question.
  public var question: SchemaQuestion
  /// The name of the schema that was compared with; nil for `validate`.
  public var from: String?
  /// The name of the checked schema.
  public var to: String
  /// What was found: by category, then severity, then subject; of each rule at most
  /// ``maximumFindings``, the first of the file.
  public var findings: [SchemaFinding]
  /// What was found and let pass, in the same order.
  public var suppressed: [Suppressed]
  /// What was found or let pass beyond what is listed, by rule.
  public var omitted: [Omitted]
  /// The stored records that were part of the check, if there were some.
  public var records: CheckedRecords?
  /// In development: what the records made of the schema before they were held against it.
  public var growth: SchemaGrowth?

  /// Makes a report.
  public init(
    question: SchemaQuestion, from: String?, to: String, findings: [SchemaFinding],
    suppressed: [Suppressed] = [], omitted: [Omitted] = [], records: CheckedRecords? = nil
  ) {
    self.question = question
    self.from = from
    self.to = to
    self.findings = findings
    self.suppressed = suppressed
    self.omitted = omitted
    self.records = records
  }

  var allFindings: [SchemaFinding] { findings + suppressed.map(\.finding) }

  /// How many findings have exactly this severity, those that are not listed too.
  public func count(of severity: SchemaSeverity) -> Int {
    omitted.reduce(findings.count { $0.severity == severity }) {
      $0 + ($1.severity == severity ? $1.findings : 0)
    }
  }

  /// How many findings may pass, those that are not listed too.
  public var suppressedCount: Int { omitted.reduce(suppressed.count) { $0 + $1.suppressed } }

  /// What is not listed, in one line for each rule.
  var omittedLines: [String] {
    omitted.map { omitted in
      var parts: [String] = []
      if omitted.findings > 0 { parts.append("\(omitted.findings) more not listed") }
      if omitted.suppressed > 0 {
        parts.append("\(omitted.suppressed) more allowed to pass, not listed")
      }
      return "\(omitted.rule): " + parts.joined(separator: ", ")
    }
  }

  /// Whether a finding is at least as severe. Of each rule one at least is listed.
  public func fails(at severity: SchemaSeverity) -> Bool {
    severity != .off && findings.contains { $0.severity >= severity }
  }

  /// What the report says in one line, such as `2 errors, 1 note · 1 allowed to pass`.
  public var summary: String {
    let parts: [String] = [
      (SchemaSeverity.error, "error"), (.warning, "warning"), (.note, "note"), (.info, "remark"),
    ].compactMap { severity, noun in
      let count = count(of: severity)
      return count == 0 ? nil : RuleWords.count(count, noun)
    }
    var text = parts.isEmpty ? "nothing found" : parts.joined(separator: ", ")
    if let records {
      text += " · " + RuleWords.count(records.records, "record") + " checked"
      if records.subscriptions > 0 {
        text += ", " + RuleWords.count(records.subscriptions, "subscription")
      }
    }
    return suppressed.isEmpty ? text : text + " · \(suppressedCount) allowed to pass"
  }

  /// What was asked, in one line.
  public var heading: String {
    switch question {
    case .validate: "\(to): the schema by itself"
    case .deploy: "\(from ?? "") → \(to): can it be deployed?"
    case .records:
      "\(records?.source ?? "") → \(to): would \(growth == nil ? "production" : "development") take "
        + "the records?"
    case .drift: "\(from ?? "") → \(to): has production all that the app needs?"
    }
  }
}
