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

  /// The question.
  public var question: SchemaQuestion
  /// The name of the schema that was compared with; nil for `validate`.
  public var from: String?
  /// The name of the checked schema.
  public var to: String
  /// What was found: by category, then severity, then subject.
  public var findings: [SchemaFinding]
  /// What was found and let pass, in the same order.
  public var suppressed: [Suppressed]
  /// The stored records that were part of the check, if there were some.
  public var records: CheckedRecords?
  /// In development: what the records made of the schema before they were held against it.
  public var growth: SchemaGrowth?

  /// Makes a report.
  public init(
    question: SchemaQuestion, from: String?, to: String, findings: [SchemaFinding],
    suppressed: [Suppressed] = [], records: CheckedRecords? = nil
  ) {
    self.question = question
    self.from = from
    self.to = to
    self.findings = findings
    self.suppressed = suppressed
    self.records = records
  }

  var allFindings: [SchemaFinding] { findings + suppressed.map(\.finding) }

  /// How many findings have exactly this severity.
  public func count(of severity: SchemaSeverity) -> Int {
    findings.reduce(0) { $0 + ($1.severity == severity ? 1 : 0) }
  }

  /// Whether a finding is at least as severe.
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
    return suppressed.isEmpty ? text : text + " · \(suppressed.count) allowed to pass"
  }

  /// What was asked, in one line.
  public var heading: String {
    switch question {
    case .validate: "\(to): the schema by itself"
    case .deploy: "\(from ?? "") → \(to): can it be deployed?"
    case .records: "\(records?.source ?? "") → \(to): would production take the records?"
    case .drift: "\(from ?? "") → \(to): has production all that the app needs?"
    }
  }
}
