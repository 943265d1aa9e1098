import RecordModel

/// Collects the findings of rules: adds the rule's attributes and the location, suppresses allowed
/// findings, and keeps a limited number per rule while counting the others.
struct FindingSink {
  /// A rule and the subject of one of its findings.
  struct Known: Hashable {
    var rule: SchemaRule.ID
    var subject: SchemaSubject
  }

  /// The maximum total length of all findings in bytes, because names may have any length.
  static let maxText = 16 << 20

  private(set) var findings: [SchemaFinding] = []
  private(set) var suppressed: [SchemaReport.Suppressed] = []
  /// The numbers of findings that were not kept, in report order.
  private(set) var omitted: [SchemaReport.Omitted] = []
  /// The findings below `error` to ignore, because the production schema has them too.
  var known: Set<Known> = []
  /// Whether findings are added to `known` instead of being reported.
  var isLearning = false
  /// The matcher for allowances, or `nil` to suppress nothing.
  var matcher: AllowanceMatcher?

  private let fromName: String?
  private let toName: String
  private let headerSpan: SourceSpan
  private let typeSpans: [ExactString: SourceSpan]
  private(set) var rule: SchemaRule?
  private var severity = SchemaSeverity.info
  private var keptFindings = 0
  private var keptSuppressed = 0
  private var keptText = 0

  init(from: SchemaDocument?, to: SchemaDocument, matcher: AllowanceMatcher? = nil) {
    fromName = from?.name
    toName = to.name
    self.matcher = matcher
    headerSpan = to.schema.origin?.name ?? .start
    var spans: [ExactString: SourceSpan] = [:]
    for type in to.schema.recordTypes {
      let name = ExactString(type.name)
      if spans[name] == nil { spans[name] = type.origin?.name }
    }
    typeSpans = spans
  }

  mutating func begin(_ rule: SchemaRule, severity: SchemaSeverity) {
    self.rule = rule
    self.severity = severity
    keptFindings = 0
    keptSuppressed = 0
  }

  /// Reports a finding of the current rule.
  ///
  /// - Parameters:
  ///   - subject: The subject of the finding.
  ///   - message: A description of the finding.
  ///   - hint: A suggested fix.
  ///   - span: The element in the checked schema. If `nil`, its record type or the header is used.
  ///   - former: The element in the schema that is compared with.
  mutating func report(
    _ subject: SchemaSubject, _ message: @autoclosure @escaping () -> String,
    hint: @autoclosure @escaping () -> String? = nil, at span: SourceSpan? = nil,
    former: SourceSpan? = nil
  ) {
    report(
      subject, SchemaRule.Note(message(), hint: hint()), at: span, former: former)
  }

  /// Reports a finding of the current rule.
  ///
  /// - Parameters:
  ///   - location: The location in another file than the checked schema.
  ///   - allowance: An allowance for this finding alone.
  ///   - records: The stored records that the finding is about.
  mutating func report(
    _ subject: SchemaSubject, _ note: SchemaRule.Note, at span: SourceSpan? = nil,
    former: SourceSpan? = nil, location: SchemaLocation? = nil, allowance: SchemaAllowance? = nil,
    records: @autoclosure () -> RecordSample? = nil
  ) {
    guard let rule else { return }
    if severity < .error {
      let finding = Known(rule: rule.id, subject: subject)
      if isLearning { known.insert(finding) }
      if known.contains(finding) { return }
    }
    if isLearning { return }
    let allowance = allowance ?? matcher?.allowance(for: subject, of: rule.id)
    guard hasRoom(suppressed: allowance != nil) else {
      return omit(rule.id, suppressed: allowance != nil)
    }
    let place = span ?? subject.recordType.flatMap { typeSpans[ExactString($0)] } ?? headerSpan
    let finding = SchemaFinding(
      rule: rule.id, category: rule.category, severity: severity, subject: subject,
      message: note.message(), hint: note.hint(),
      location: location ?? SchemaLocation(file: toName, span: place),
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
    return kept < SchemaReport.maxFindings && keptText < Self.maxText
  }

  private mutating func omit(_ rule: SchemaRule.ID, suppressed: Bool) {
    if omitted.last?.rule != rule {
      omitted.append(SchemaReport.Omitted(rule: rule, severity: severity))
    }
    let last = omitted.count - 1
    if suppressed { omitted[last].suppressed += 1 } else { omitted[last].findings += 1 }
  }
}
