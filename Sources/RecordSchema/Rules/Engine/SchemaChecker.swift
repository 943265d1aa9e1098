/// Asks the rules about schemas.
public struct SchemaChecker: Sendable {
  /// Severities and known findings that may pass.
  public var configuration: SchemaConfiguration

  /// Makes a checker.
  public init(configuration: SchemaConfiguration = SchemaConfiguration()) {
    self.configuration = configuration
  }

  /// Checks one schema by itself.
  ///
  /// - Throws: ``SchemaSyntaxError`` where the file cannot be understood.
  public func validate(_ document: SchemaDocument) throws -> SchemaReport {
    _ = try document.validSchema()
    var sink = FindingSink(from: nil, to: document)
    for rule in SchemaRule.all {
      guard case .schema(let check) = rule.check, let severity = active(rule) else { continue }
      sink.begin(rule, severity: severity)
      check(document, &sink)
    }
    return report(.validate, from: nil, to: document, sink: sink)
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
    let comparison = SchemaComparison(from: try from.validSchema(), to: try to.validSchema())
    var sink = FindingSink(from: from, to: to)
    for rule in SchemaRule.all {
      guard case .comparison(let questions, let check) = rule.check,
        questions.contains(question), let severity = active(rule)
      else { continue }
      sink.begin(rule, severity: severity)
      check(comparison, &sink)
    }
    if let records {
      // Production is what is deployed over, or what results from the deployment.
      judge(
        records, under: to.schema, production: question == .drift ? from.schema : to.schema, &sink)
    }
    var findings: [SchemaFinding] = []
    if question == .deploy { findings = try newFindings(from: from, to: to) }
    return report(
      question, from: from, to: to, sink: sink, further: findings, records: records)
  }

  /// Holds stored records and subscriptions against a schema, as the production server would.
  ///
  /// - Throws: ``SchemaSyntaxError`` where the schema cannot be understood.
  public func judge(
    _ records: RecordCensus, under document: SchemaDocument
  ) throws -> SchemaReport {
    var sink = FindingSink(from: nil, to: document)
    let schema = try document.validSchema()
    judge(records, under: schema, production: schema, &sink)
    return report(.records, from: nil, to: document, sink: sink, records: records)
  }

  private func judge(
    _ records: RecordCensus, under schema: Schema, production: Schema, _ sink: inout FindingSink
  ) {
    let judgement = RecordJudgement(records, under: schema, production: production)
    for rule in SchemaRule.all {
      guard case .records(let check) = rule.check, let severity = active(rule) else { continue }
      sink.begin(rule, severity: severity)
      check(judgement, &sink)
    }
  }

  /// What is wrong with the new schema by itself. Below `error` only what is not wrong in the old
  /// one too: production has lived with that.
  private func newFindings(
    from: SchemaDocument, to: SchemaDocument
  ) throws -> [SchemaFinding] {
    var plain = self
    plain.configuration.allowances = []
    var known: Set<KnownFinding> = []
    for finding in try plain.validate(from).allFindings { known.insert(KnownFinding(finding)) }
    return try plain.validate(to).allFindings.filter { finding in
      SchemaRule.named(finding.rule)?.questions.contains(.deploy) == true
        && (finding.severity == .error || !known.contains(KnownFinding(finding)))
        && finding.rule != SchemaRule.suppressionMalformed.id
        && finding.rule != SchemaRule.suppressionUnused.id
    }
  }

  private struct KnownFinding: Hashable {
    var rule: SchemaRule.ID
    var subject: SchemaSubject
    init(_ finding: SchemaFinding) {
      rule = finding.rule
      subject = finding.subject
    }
  }

  /// The rule's severity, or nil where it is off.
  private func active(_ rule: SchemaRule) -> SchemaSeverity? {
    let severity = configuration.severity(of: rule)
    return severity == .off ? nil : severity
  }

  // MARK: - Suppression

  private func report(
    _ question: SchemaQuestion, from: SchemaDocument?, to: SchemaDocument, sink: FindingSink,
    further: [SchemaFinding] = [], records: RecordCensus? = nil
  ) -> SchemaReport {
    var sink = sink
    let comments = AllowComment.read(to)
    if let severity = active(.suppressionMalformed) {
      sink.begin(.suppressionMalformed, severity: severity)
      for fault in comments.malformed {
        sink.report(
          fault.subject, fault.message,
          hint: "write // \(AllowComment.marker) RULE reason", at: fault.location)
      }
    }
    var matcher = AllowanceMatcher(comments.allowances + configuration.allowances)
    var passed: [SchemaReport.Suppressed] = []
    var findings = (sink.findings + further).filter { finding in
      guard let allowance = matcher.allowance(for: finding) else { return true }
      passed.append(SchemaReport.Suppressed(finding: finding, allowance: allowance))
      return false
    }
    findings += unusedFindings(
      matcher.unused, question, from: from, to: to, hasRecords: records != nil)
    return SchemaReport(
      question: question, from: from?.name, to: to.name,
      findings: findings.sorted(by: SchemaFinding.precedes),
      suppressed: passed.sorted { SchemaFinding.precedes($0.finding, $1.finding) },
      records: records.map(SchemaReport.CheckedRecords.init))
  }

  private func unusedFindings(
    _ allowances: [SchemaAllowance], _ question: SchemaQuestion, from: SchemaDocument?,
    to: SchemaDocument, hasRecords: Bool
  ) -> [SchemaFinding] {
    guard let severity = active(.suppressionUnused) else { return [] }
    var sink = FindingSink(from: from, to: to)
    sink.begin(.suppressionUnused, severity: severity)
    for allowance in allowances {
      // A permission for a rule that was not asked could not have been used.
      guard let rule = SchemaRule.named(allowance.rule), rule.questions.contains(question),
        active(rule) != nil, hasRecords || !rule.needsRecords
      else { continue }
      var span: SourceSpan?
      var place = "a comment"
      switch allowance.source {
      case .comment(let location): span = location.span
      case .configuration(let file, let line): place = "\(file):\(line)"
      }
      sink.report(
        .schema, "\(place) allows \(allowance.rule) on \(allowance.subject), which is not found",
        hint: "remove it", at: span)
    }
    return sink.findings
  }
}
