/// What rules report into: adds what the rule says of itself, and where.
struct FindingSink {
  private(set) var findings: [SchemaFinding] = []
  private let fromName: String?
  private let toName: String
  private let headerSpan: SourceSpan
  private let typeSpans: [String: SourceSpan]
  private var rule: SchemaRule.ID = ""
  private var category = SchemaCategory.info
  private var severity = SchemaSeverity.info

  init(from: SchemaDocument?, to: SchemaDocument) {
    fromName = from?.name
    toName = to.name
    let start = SourceSpan(offset: 0, length: 0, line: 1, column: 1)
    headerSpan = to.schema.origin?.name ?? start
    var spans: [String: SourceSpan] = [:]
    for type in to.schema.recordTypes where spans[type.name] == nil {
      spans[type.name] = type.origin?.name
    }
    typeSpans = spans
  }

  mutating func begin(_ rule: SchemaRule, severity: SchemaSeverity) {
    self.rule = rule.id
    category = rule.category
    self.severity = severity
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
    _ subject: SchemaSubject, _ message: String, hint: String? = nil, at span: SourceSpan? = nil,
    former: SourceSpan? = nil, records: RecordSample? = nil
  ) {
    let place = span ?? subject.recordType.flatMap { typeSpans[$0] } ?? headerSpan
    findings.append(
      SchemaFinding(
        rule: rule, category: category, severity: severity, subject: subject, message: message,
        hint: hint, location: SchemaLocation(file: toName, span: place),
        formerLocation: former.flatMap { span in
          fromName.map { SchemaLocation(file: $0, span: span) }
        }, records: records))
  }
}
