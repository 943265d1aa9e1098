import RecordModel

/// Collects the findings of rules: adds the rule's attributes and the location, sorts out those
/// that are suppressed, and keeps a limited number per rule.
struct FindingCollector {
  /// A rule and the subject of one of its findings.
  struct Known: Hashable {
    var rule: SchemaRule.ID
    var subject: SchemaSubject
  }

  private(set) var findings: [SchemaFinding] = []
  private(set) var suppressed: [SchemaReport.Suppressed] = []
  /// The rules with more findings than are kept, in report order.
  private(set) var limited: [SchemaRule.ID] = []
  /// The findings below `error` to ignore, because the production schema has them too.
  var known: Set<Known> = []
  /// Whether findings are added to `known` instead of being reported.
  var isLearning = false
  var suppressions: Suppressions

  private let fromName: String?
  /// The place of the schema itself: its header, or a model's file or folder as a whole.
  private let whole: SchemaLocation
  private let index: SchemaIndex
  /// The places in a model that a schema was derived from.
  private let locations: [SchemaSubject: SchemaLocation]
  private(set) var rule: SchemaRule?
  private var severity = SchemaSeverity.info
  private var kept = 0
  private var keptSuppressed = 0

  init(from: SchemaDocument?, to: SchemaDocument, _ suppressions: Suppressions = Suppressions()) {
    fromName = from?.name
    self.suppressions = suppressions
    whole =
      to.model == nil
      ? SchemaLocation(file: to.name, span: to.schema.origin?.name ?? .start)
      : SchemaLocation(file: to.name)
    index = SchemaIndex(to.schema)
    locations = to.locations
  }

  mutating func begin(_ rule: SchemaRule, severity: SchemaSeverity) {
    self.rule = rule
    self.severity = severity
    (kept, keptSuppressed) = (0, 0)
  }

  /// Reports a finding of the current rule.
  ///
  /// - Parameters:
  ///   - subject: The subject of the finding.
  ///   - message: A description of the finding.
  ///   - hint: A suggested fix.
  ///   - span: The element in the checked schema. If `nil`, its record type or the header is used.
  ///   - former: The element in the schema that is compared with.
  ///   - location: The location in another file than the checked schema.
  ///   - records: The stored records that the finding is about.
  ///   - lower: The severity of a finding that is milder than others of its rule. A configured severity
  ///     of the rule takes precedence.
  mutating func report(
    _ subject: SchemaSubject, _ message: String, hint: String? = nil, at span: SourceSpan? = nil,
    former: SourceSpan? = nil, location: SchemaLocation? = nil, records: RecordSample? = nil,
    severity lower: SchemaSeverity? = nil
  ) {
    guard let rule else { return }
    let severity = severity == rule.defaultSeverity ? lower ?? severity : severity
    if severity < .error {
      let finding = Known(rule: rule.id, subject: subject)
      if isLearning { known.insert(finding) }
      if known.contains(finding) { return }
    }
    if isLearning { return }
    let location = location ?? place(of: subject)
    let suppression = suppressions.suppression(of: rule.id, for: subject, at: location)
    let count = suppression == nil ? kept : keptSuppressed
    guard count < SchemaReport.maxFindings else {
      if limited.last != rule.id { limited.append(rule.id) }
      return
    }
    // The spans of a model's schema are those of production, or none.
    let place = whole.isWhole ? nil : span ?? subject.recordType.flatMap { index[$0]?.nameSpan }
    let finding = SchemaFinding(
      rule: rule.id, category: rule.category, severity: severity, subject: subject,
      message: message, hint: hint,
      location: location ?? place.map { SchemaLocation(file: whole.file, span: $0) } ?? whole,
      formerLocation: former.flatMap { span in
        fromName.map { SchemaLocation(file: $0, span: span) }
      }, records: records)
    if let suppression {
      keptSuppressed += 1
      suppressed.append(SchemaReport.Suppressed(finding: finding, suppression: suppression))
    } else {
      kept += 1
      findings.append(finding)
    }
  }

  /// The place in the model that a subject was derived from, or its record type.
  private func place(of subject: SchemaSubject) -> SchemaLocation? {
    if locations.isEmpty { return nil }
    return locations[subject] ?? subject.recordType.flatMap { locations[.type($0)] }
  }

  /// Reports a problem of the model under the current rule.
  mutating func report(_ problem: MirroredModel.Problem, of model: MirroredModel) {
    let type = problem.entity.map { model.recordType(of: $0) }
    let field = problem.property.map {
      model.kind == .sqliteData ? $0 : CoreDataNames.field(of: $0)
    }
    report(
      SchemaSubject(recordType: type, field: type == nil ? nil : field), problem.message,
      hint: rule?.remedy, location: problem.location)
  }
}
