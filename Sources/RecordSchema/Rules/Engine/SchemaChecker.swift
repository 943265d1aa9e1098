import RecordModel

/// Checks schemas and records against the rules.
///
/// ```swift
/// let report = try SchemaChecker().compare(from: production, to: proposal, question: .deploy)
/// print(report.text(as: .text))
/// ```
public struct SchemaChecker: Sendable {
  /// The severities and allowances.
  public var configuration: SchemaConfiguration

  /// Creates a checker.
  public init(configuration: SchemaConfiguration = SchemaConfiguration()) {
    self.configuration = configuration
  }

  /// Checks a single schema.
  ///
  /// - Throws: ``SchemaSyntaxError`` if the file has errors.
  public func validate(_ document: SchemaDocument) throws -> SchemaReport {
    _ = try document.validSchema()
    var check = begin(.validate, from: nil, to: document)
    validate(document, &check.sink)
    return report(check)
  }

  /// Compares two schemas.
  ///
  /// - Parameters:
  ///   - from: The production schema.
  ///   - to: The schema to deploy over it, or for `drift` the one that the app needs.
  ///   - question: `deploy` or `drift`. For `validate`, only `to` is checked; for `records`, the
  ///     records are checked against it.
  ///   - records: Stored records, which are checked against `to`, and subscriptions, which are
  ///     checked against production: `from` for `drift`, otherwise `to`.
  /// - Throws: ``SchemaSyntaxError`` if one of the files has errors, so that a damaged file never
  ///   counts as unchanged.
  public func compare(
    from: SchemaDocument, to: SchemaDocument, question: SchemaQuestion = .deploy,
    records: RecordCensus? = nil
  ) throws -> SchemaReport {
    if question == .validate { return try validate(to) }
    if question == .records {
      return try validate(records ?? RecordCensus(source: "no records"), against: to)
    }
    let comparison = SchemaComparison(
      from: try from.validSchema(), to: try to.validSchema(), question: question)
    var check = begin(question, from: from, to: to, records: records)
    for rule in SchemaRule.all {
      guard case .comparison(let questions, let body) = rule.check,
        questions.contains(question), let severity = active(rule)
      else { continue }
      check.sink.begin(rule, severity: severity)
      body(comparison, &check.sink)
    }
    if let records {
      // For `drift`, production is `from`; for `deploy`, it is the result of the deployment.
      validate(
        records, against: to.schema, production: question == .drift ? from.schema : to.schema,
        &check.sink)
    }
    if question == .deploy {
      // Findings below `error` about the new schema are only reported if the old schema does not
      // have them too.
      var learner = FindingSink(from: nil, to: from)
      learner.isLearning = true
      validate(from, &learner)
      check.sink.known = learner.known
      validate(to, &check.sink)
      check.sink.known = []
    }
    return report(check)
  }

  /// Checks stored records and subscriptions against a schema, as the server would.
  ///
  /// - Parameters:
  ///   - records: The records and subscriptions.
  ///   - document: The schema. For the development environment, the schema after they were saved.
  ///   - environment: The environment. Server messages are only quoted for production, where they
  ///     are known.
  /// - Throws: ``SchemaSyntaxError`` if the schema has errors.
  public func validate(
    _ records: RecordCensus, against document: SchemaDocument,
    environment: ContainerInfo.Environment = .production
  ) throws -> SchemaReport {
    let schema = try document.validSchema()
    var check = begin(.records, from: nil, to: document, records: records)
    validate(records, against: schema, production: schema, environment: environment, &check.sink)
    return report(check)
  }

  private func validate(
    _ records: RecordCensus, against schema: CloudSchema, production: CloudSchema,
    environment: ContainerInfo.Environment = .production, _ sink: inout FindingSink
  ) {
    let recordCheck = RecordCheck(
      records, under: schema, production: production, environment: environment)
    for rule in SchemaRule.all {
      guard case .records(let check) = rule.check, let severity = active(rule) else { continue }
      sink.begin(rule, severity: severity)
      check(recordCheck, &sink)
    }
  }

  private func validate(_ document: SchemaDocument, _ sink: inout FindingSink) {
    for rule in SchemaRule.all {
      guard case .schema(let check) = rule.check, let severity = active(rule) else { continue }
      sink.begin(rule, severity: severity)
      check(document, &sink)
    }
  }

  /// Returns the rule's severity, or `nil` if it is off.
  func active(_ rule: SchemaRule) -> SchemaSeverity? {
    let severity = configuration.severity(of: rule)
    return severity == .off ? nil : severity
  }

  // MARK: - Reports

  private struct Check {
    var question: SchemaQuestion
    var from: SchemaDocument?
    var to: SchemaDocument
    var records: RecordCensus?
    var comments: AllowComment.Reading
    var sink: FindingSink
  }

  private func begin(
    _ question: SchemaQuestion, from: SchemaDocument?, to: SchemaDocument,
    records: RecordCensus? = nil
  ) -> Check {
    let comments = AllowComment.read(to)
    let matcher = AllowanceMatcher(comments.allowances + configuration.allowances)
    return Check(
      question: question, from: from, to: to, records: records, comments: comments,
      sink: FindingSink(from: from, to: to, matcher: matcher))
  }

  private func report(_ check: Check) -> SchemaReport {
    var check = check
    reportMalformed(&check)
    reportUnused(&check)
    let sink = check.sink
    return SchemaReport(
      question: check.question, from: check.from?.name, to: check.to.name,
      findings: sink.findings.sorted(by: SchemaFinding.precedes),
      suppressed: sink.suppressed.sorted { SchemaFinding.precedes($0.finding, $1.finding) },
      omitted: sink.omitted, records: check.records.map(SchemaReport.CheckedRecords.init))
  }

  private func reportMalformed(_ check: inout Check) {
    guard let severity = active(.suppressionMalformed) else { return }
    check.sink.begin(.suppressionMalformed, severity: severity)
    for fault in check.comments.malformed {
      check.sink.report(fault.subject, fault.message, hint: fault.hint, at: fault.location)
    }
    let ignored = check.sink.matcher?.ignored ?? [:]
    for (rule, count) in ignored.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      check.sink.report(
        .schema,
        "\(Phrase.count(count, "allowance")) with a pattern for \(rule) ignored: at most "
          + "\(AllowanceMatcher.maxPatterns) of at most "
          + "\(AllowanceMatcher.maxPatternLength) bytes are used",
        hint: "name the subjects, or use a more general pattern")
    }
  }

  private func reportUnused(_ check: inout Check) {
    let unused = check.sink.matcher?.unused ?? []
    // An allowance for all rules must not suppress this finding.
    check.sink.matcher = nil
    guard let severity = active(.suppressionUnused) else { return }
    check.sink.begin(.suppressionUnused, severity: severity)
    for allowance in unused {
      // An allowance for a rule that did not run could not have been used.
      guard let rule = SchemaRule.named(allowance.rule), rule.questions.contains(check.question),
        active(rule) != nil, check.records != nil || !rule.needsRecords
      else { continue }
      var span: SourceSpan?
      var place = "a comment"
      switch allowance.source {
      case .comment(let location): span = location.span
      case .configuration(let file, let line): place = "\(file):\(line)"
      }
      check.sink.report(
        .schema, "\(place) allows \(allowance.rule) on \(allowance.subject), which has no finding",
        hint: "remove it", at: span)
    }
  }
}
