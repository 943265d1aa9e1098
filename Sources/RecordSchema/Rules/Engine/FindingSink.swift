import RecordModel

/// What rules report into: adds what the rule says of itself, and where; lets known findings pass;
/// and keeps a number of findings of each rule, counting the others.
struct FindingSink {
  /// A rule and what it found something in.
  struct Known: Hashable {
    var rule: SchemaRule.ID
    var subject: SchemaSubject
  }

  /// How much text is kept in all findings together, in bytes: names may be of any length.
  static let maximumText = 16 << 20

  private(set) var findings: [SchemaFinding] = []
  private(set) var suppressed: [SchemaReport.Suppressed] = []
  /// What was counted and not kept, by rule in the order of the reports.
  private(set) var omitted: [SchemaReport.Omitted] = []
  /// Findings below `error` that are not reported, because production has lived with them.
  var known: Set<Known> = []
  /// Whether findings are put among the known ones instead of being reported.
  var isLearning = false
  /// Who lets findings pass; nil for nobody.
  var matcher: AllowanceMatcher?

  private let fromName: String?
  private let toName: String
  private let headerSpan: SourceSpan
  private let typeSpans: [NameKey: SourceSpan]
  private var rule: SchemaRule.ID = ""
  private var category = SchemaCategory.info
  private var severity = SchemaSeverity.info
  private var keptFindings = 0
  private var keptSuppressed = 0
  private var keptText = 0

  init(from: SchemaDocument?, to: SchemaDocument, matcher: AllowanceMatcher? = nil) {
    fromName = from?.name
    toName = to.name
    self.matcher = matcher
    let start = SourceSpan(offset: 0, length: 0, line: 1, column: 1)
    headerSpan = to.schema.origin?.name ?? start
    var spans: [NameKey: SourceSpan] = [:]
    for type in to.schema.recordTypes {
      let name = NameKey(type.name)
      if spans[name] == nil { spans[name] = type.origin?.name }
    }
    typeSpans = spans
  }

  mutating func begin(_ rule: SchemaRule, severity: SchemaSeverity) {
    self.rule = rule.id
    category = rule.category
    self.severity = severity
    keptFindings = 0
    keptSuppressed = 0
  }

  /// Reports a finding of the rule that runs.
  ///
  /// - Parameters:
  ///   - subject: What it is about.
  ///   - message: What was found.
  ///   - hint: What to do about it.
  ///   - span: The element in the checked schema; where it has none, its record type or the header.
  ///   - former: The element in the schema that is compared with.
  ///   - records: The stored records it is about.
  mutating func report(
    _ subject: SchemaSubject, _ message: @autoclosure () -> String,
    hint: @autoclosure () -> String? = nil, at span: SourceSpan? = nil,
    former: SourceSpan? = nil, records: @autoclosure () -> RecordSample? = nil
  ) {
    if isLearning {
      if severity < .error { known.insert(Known(rule: rule, subject: subject)) }
      return
    }
    if severity < .error, !known.isEmpty, known.contains(Known(rule: rule, subject: subject)) {
      return
    }
    let allowance = matcher?.allowance(for: subject, of: rule)
    guard hasRoom(suppressed: allowance != nil) else {
      return omit(suppressed: allowance != nil)
    }
    let place = span ?? subject.recordType.flatMap { typeSpans[NameKey($0)] } ?? headerSpan
    let finding = SchemaFinding(
      rule: rule, category: category, severity: severity, subject: subject, message: message(),
      hint: hint(), location: SchemaLocation(file: toName, span: place),
      formerLocation: former.flatMap { span in
        fromName.map { SchemaLocation(file: $0, span: span) }
      }, records: records())
    keptText += finding.message.utf8.count + (finding.hint?.utf8.count ?? 0)
    if let allowance {
      keptSuppressed += 1
      suppressed.append(SchemaReport.Suppressed(finding: finding, allowance: allowance))
    } else {
      keptFindings += 1
      findings.append(finding)
    }
  }

  private func hasRoom(suppressed: Bool) -> Bool {
    let kept = suppressed ? keptSuppressed : keptFindings
    if kept == 0 { return true }
    return kept < SchemaReport.maximumFindings && keptText < Self.maximumText
  }

  private mutating func omit(suppressed: Bool) {
    if omitted.last?.rule != rule {
      omitted.append(SchemaReport.Omitted(rule: rule, severity: severity))
    }
    let last = omitted.count - 1
    if suppressed { omitted[last].suppressed += 1 } else { omitted[last].findings += 1 }
  }
}
