import RecordModel

/// Asks the rules about schemas.
public struct SchemaChecker: Sendable {
  /// Severities and known findings that may pass.
  public var configuration: SchemaConfiguration

  /// Creates a checker.
  public init(configuration: SchemaConfiguration = SchemaConfiguration()) {
    self.configuration = configuration
  }

  /// Checks one schema by itself.
  ///
  /// - Throws: ``SchemaSyntaxError`` where the file cannot be understood.
  public func validate(_ document: SchemaDocument) throws -> SchemaReport {
    _ = try document.validSchema()
    var check = begin(.validate, from: nil, to: document)
    validate(document, &check.sink)
    return report(check)
  }

  /// Compares two schemas.
  ///
  /// - Parameters:
  ///   - from: The schema of production.
  ///   - to: The schema to deploy over it, or for `drift` the one that the app needs.
  ///   - question: `deploy` or `drift`; for `validate`, `to` is checked by itself, and for `records`
  ///     the records are held against it.
  ///   - records: Stored records, which are held against `to`, and subscriptions, which are held
  ///     against production: `from` in `drift`, else `to`.
  /// - Throws: ``SchemaSyntaxError`` where one of the files cannot be understood: a damaged file is
  ///   never "no change".
  public func compare(
    from: SchemaDocument, to: SchemaDocument, question: SchemaQuestion = .deploy,
    records: RecordCensus? = nil
  ) throws -> SchemaReport {
    if question == .validate { return try validate(to) }
    if question == .records {
      return try judge(records ?? RecordCensus(source: "no records"), under: to)
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
      // Production is what is deployed over, or what results from the deployment.
      judge(
        records, under: to.schema, production: question == .drift ? from.schema : to.schema,
        &check.sink)
    }
    if question == .deploy {
      // Below `error`, what is wrong in the new schema by itself counts only if it is not wrong in
      // the old one too: production has lived with that.
      var learner = FindingSink(from: nil, to: from)
      learner.isLearning = true
      validate(from, &learner)
      check.sink.known = learner.known
      validate(to, &check.sink)
      check.sink.known = []
    }
    return report(check)
  }

  /// Holds stored records and subscriptions against a schema, as the server would.
  ///
  /// - Parameters:
  ///   - records: The records and subscriptions.
  ///   - document: The schema; of development, as it is after they were saved.
  ///   - environment: Whose words are quoted: what production is known to say, development does not.
  /// - Throws: ``SchemaSyntaxError`` where the schema cannot be understood.
  public func judge(
    _ records: RecordCensus, under document: SchemaDocument,
    environment: ContainerInfo.Environment = .production
  ) throws -> SchemaReport {
    let schema = try document.validSchema()
    var check = begin(.records, from: nil, to: document, records: records)
    judge(
      records, under: schema, production: schema, environment: environment, &check.sink)
    return report(check)
  }

  private func judge(
    _ records: RecordCensus, under schema: Schema, production: Schema,
    environment: ContainerInfo.Environment = .production, _ sink: inout FindingSink
  ) {
    let judgement = RecordJudgement(
      records, under: schema, production: production, environment: environment)
    for rule in SchemaRule.all {
      guard case .records(let check) = rule.check, let severity = active(rule) else { continue }
      sink.begin(rule, severity: severity)
      check(judgement, &sink)
    }
  }

  private func validate(_ document: SchemaDocument, _ sink: inout FindingSink) {
    for rule in SchemaRule.all {
      guard case .schema(let check) = rule.check, let severity = active(rule) else { continue }
      sink.begin(rule, severity: severity)
      check(document, &sink)
    }
  }

  /// The rule's severity, or nil where it is off.
  private func active(_ rule: SchemaRule) -> SchemaSeverity? {
    let severity = configuration.severity(of: rule)
    return severity == .off ? nil : severity
  }

  // MARK: - Reports

  /// A check that runs.
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
    let refused = check.sink.matcher?.refused ?? [:]
    for (rule, count) in refused.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      check.sink.report(
        .schema,
        "\(RuleWords.count(count, "permission")) with a pattern for \(rule) without effect: at most "
          + "\(AllowanceMatcher.maximumPatterns) of at most "
          + "\(AllowanceMatcher.maximumPatternLength) bytes are tried",
        hint: "name the subjects, or say more with one pattern")
    }
  }

  private func reportUnused(_ check: inout Check) {
    let unused = check.sink.matcher?.unused ?? []
    // Whoever allows everything does not mean this.
    check.sink.matcher = nil
    guard let severity = active(.suppressionUnused) else { return }
    check.sink.begin(.suppressionUnused, severity: severity)
    for allowance in unused {
      // A permission for a rule that was not asked could not have been used.
      guard let rule = SchemaRule.named(allowance.rule),
        rule.questions.contains(check.question), active(rule) != nil,
        check.records != nil || !rule.needsRecords
      else { continue }
      var span: SourceSpan?
      var place = "a comment"
      switch allowance.source {
      case .comment(let location): span = location.span
      case .configuration(let file, let line): place = "\(file):\(line)"
      }
      check.sink.report(
        .schema, "\(place) allows \(allowance.rule) on \(allowance.subject), which is not found",
        hint: "remove it", at: span)
    }
  }
}
