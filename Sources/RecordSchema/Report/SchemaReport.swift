/// The answer to a question about schemas: what the rules found, and what was let pass.
public struct SchemaReport: Sendable, Hashable {
  /// A finding that somebody allowed to pass.
  public struct Suppressed: Sendable, Hashable {
    /// What was found.
    public var finding: SchemaFinding
    /// Who let it pass, and why.
    public var allowance: SchemaAllowance
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

  /// Makes a report.
  public init(
    question: SchemaQuestion, from: String?, to: String, findings: [SchemaFinding],
    suppressed: [Suppressed] = []
  ) {
    self.question = question
    self.from = from
    self.to = to
    self.findings = findings
    self.suppressed = suppressed
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
    let found = parts.isEmpty ? "nothing found" : parts.joined(separator: ", ")
    return suppressed.isEmpty ? found : found + " · \(suppressed.count) allowed to pass"
  }

  /// What was asked, in one line.
  public var heading: String {
    switch question {
    case .validate: "\(to): the schema by itself"
    case .deploy: "\(from ?? "") → \(to): can it be deployed?"
    case .drift: "\(from ?? "") → \(to): has production all that the app needs?"
    }
  }
}
