/// The result of a check: the findings of the rules, and the findings that were suppressed.
public struct SchemaReport: Sendable, Hashable {
  /// A finding that was suppressed.
  public struct Suppressed: Sendable, Hashable {
    /// The finding.
    public var finding: SchemaFinding
    /// The allowance that suppressed it.
    public var allowance: SchemaAllowance
  }

  /// The stored records that were part of a check.
  public struct CheckedRecords: Sendable, Hashable {
    /// The display name of the records, such as the bundle's path.
    public var source: String
    /// The number of records.
    public var records: Int
    /// The number of subscriptions.
    public var subscriptions: Int

    init(_ census: RecordCensus) {
      source = census.source
      records = census.recordCount
      subscriptions = census.subscriptions.count
    }
  }

  /// The source code that was part of a check.
  public struct CheckedSource: Sendable, Hashable {
    /// The display name of the source code, such as the folder's path.
    public var source: String
    /// The number of files.
    public var files: Int
    /// The number of uses of record types and fields.
    public var uses: Int
    /// The places of names that are computed and could not be checked.
    public var computed: [SchemaLocation]

    init(_ uses: SourceUses) {
      source = uses.source
      files = uses.files
      self.uses = uses.uses.count
      computed = uses.computed
    }
  }

  /// The number of findings of a rule that are not listed.
  public struct Omitted: Sendable, Hashable {
    /// The rule.
    public var rule: SchemaRule.ID
    /// The severity of the findings.
    public var severity: SchemaSeverity
    /// The number of findings that are not listed.
    public var findings = 0
    /// The number of suppressed findings that are not listed.
    public var suppressed = 0
  }

  /// The maximum number of findings, and of suppressed findings, listed per rule: 1,000. Further
  /// ones are only counted.
  public static let maxFindings = 1000

  /// The question that the check answers.
  public var question: SchemaQuestion
  /// The name of the schema that was compared with, or `nil` for `validate`.
  public var from: String?
  /// The name of the checked schema.
  public var to: String
  /// The findings by category, severity and subject. At most the first ``maxFindings`` per
  /// rule.
  public var findings: [SchemaFinding]
  /// The suppressed findings, in the same order.
  public var suppressed: [Suppressed]
  /// The number of findings that are not listed, by rule.
  public var omitted: [Omitted]
  /// The stored records that were part of the check, if any.
  public var records: CheckedRecords?
  /// The source code that was part of the check, if any.
  public var source: CheckedSource?
  /// For the development environment, the changes that the records made to the schema before they
  /// were checked.
  public var extendedSchema: ExtendedSchema?

  var allFindings: [SchemaFinding] { findings + suppressed.map(\.finding) }

  /// Returns the number of findings with a severity, including those not listed.
  public func count(of severity: SchemaSeverity) -> Int {
    omitted.reduce(findings.count { $0.severity == severity }) {
      $0 + ($1.severity == severity ? $1.findings : 0)
    }
  }

  /// The number of suppressed findings, including those not listed.
  public var suppressedCount: Int { omitted.reduce(suppressed.count) { $0 + $1.suppressed } }

  /// The numbers of findings that are not listed, one line per rule.
  package var omittedLines: [String] {
    omitted.map { omitted in
      var parts: [String] = []
      if omitted.findings > 0 { parts.append("\(omitted.findings) more not listed") }
      if omitted.suppressed > 0 {
        parts.append("\(omitted.suppressed) more suppressed, not listed")
      }
      return "\(omitted.rule): " + parts.joined(separator: ", ")
    }
  }

  /// Returns whether a finding has at least the given severity. Reliable even if findings are
  /// omitted, because every rule lists at least one.
  public func fails(at severity: SchemaSeverity) -> Bool {
    severity != .off && findings.contains { $0.severity >= severity }
  }

  /// A one-line summary, such as `2 errors, 1 note · 1 allowed to pass`.
  public var summary: String {
    let parts: [String] = [
      (SchemaSeverity.error, "error"), (.warning, "warning"), (.note, "note"), (.info, "info"),
    ].compactMap { severity, noun in
      let count = count(of: severity)
      if count == 0 { return nil }
      return severity == .info ? "\(count) info" : Phrase.count(count, noun)
    }
    var text = parts.isEmpty ? "nothing found" : parts.joined(separator: ", ")
    if let records {
      text += " · " + Phrase.count(records.records, "record") + " checked"
      if records.subscriptions > 0 {
        text += ", " + Phrase.count(records.subscriptions, "subscription")
      }
    }
    if let source {
      text += " · " + Phrase.count(source.uses, "use") + " in " + Phrase.count(source.files, "file")
      text += " checked"
      if !source.computed.isEmpty {
        text += ", " + Phrase.count(source.computed.count, "computed name") + " not checked"
      }
    }
    return suppressed.isEmpty ? text : text + " · \(suppressedCount) suppressed"
  }

  /// The question as a one-line heading.
  public var heading: String {
    switch question {
    case .validate: "\(to): is the schema valid?"
    case .deploy: "\(from ?? "") → \(to): can it be deployed?"
    case .records:
      "\(records?.source ?? "") → \(to): would "
        + "\(extendedSchema == nil ? "production" : "development") accept the records?"
    case .source:
      "\(source?.source ?? "") → \(to): does production have everything that the code uses?"
    case .drift: "\(from ?? "") → \(to): does production have everything that the app needs?"
    }
  }
}
