import RecordModel

/// Checks schemas, records and source code against the rules.
///
/// ```swift
/// let report = try SchemaChecker().compare(from: production, to: proposal, kind: .deploy)
/// print(report.text(as: .text))
/// ```
public struct SchemaChecker: Sendable {
  /// The severities and suppressions.
  public var configuration: SchemaConfiguration

  /// Creates a checker.
  public init(configuration: SchemaConfiguration = SchemaConfiguration()) {
    self.configuration = configuration
  }

  /// Checks a single schema.
  ///
  /// - Throws: ``SchemaError/syntax(_:)`` if the file has errors.
  public func validate(_ document: SchemaDocument) throws -> SchemaReport {
    _ = try document.validSchema()
    var findings = collector(to: document)
    check(document, &findings)
    check(document.model, &findings)
    return report(.validate, to: document, findings)
  }

  /// Compares two schemas.
  ///
  /// If `to` was read from the model of an app that a library mirrors, `drift` needs the fields that
  /// each object has; `deploy` adds the fields of the model to production's, as the library does.
  ///
  /// - Parameters:
  ///   - from: The production schema.
  ///   - to: The schema to deploy over it, or for `drift` the one that the app needs.
  ///   - kind: `deploy` or `drift`. For `validate`, only `to` is checked; for `records`, the
  ///     records are checked against it.
  ///   - records: Stored records, which are checked against `to`, and subscriptions, which are
  ///     checked against production: `from` for `drift`, otherwise `to`.
  /// - Throws: ``SchemaError/syntax(_:)`` if one of the files has errors, so that a damaged file
  ///   never counts as unchanged.
  public func compare(
    from: SchemaDocument, to: SchemaDocument, kind: SchemaCheckKind = .deploy,
    records: RecordCensus? = nil
  ) throws -> SchemaReport {
    if kind == .validate { return try validate(to) }
    if kind == .records {
      return try validate(records ?? RecordCensus(source: "no records"), against: to)
    }
    let production = try from.validSchema()
    var to = to
    if let model = to.model, kind == .drift {
      to.replaceSchema(with: model.neededSchema(for: production))
    } else if to.model != nil {
      to.replaceSchema(with: production.adding(to.schema))
    }
    let comparison = SchemaComparison(from: production, to: try to.validSchema(), kind: kind)
    var findings = collector(from: from, to: to)
    // Production cannot have more or less than a model of which no type is stored.
    let isStored = kind != .drift || to.model?.isUnmirrored != true
    for rule in SchemaRule.all where isStored {
      guard case .comparison(let kinds, let body) = rule.check, kinds.contains(kind)
      else { continue }
      run(rule, &findings) { body(comparison, &$0) }
    }
    check(to.model, production: kind == .drift ? production : nil, &findings)
    if let records {
      // For `drift`, production is `from`; for `deploy`, it is the result of the deployment.
      let production = kind == .drift ? from.schema : to.schema
      check(
        RecordCheck(records, under: to.schema, production: production, model: to.model), &findings)
    }
    if kind == .deploy {
      // Findings below `error` about the new schema are only reported if the old schema does not
      // have them too.
      var learner = FindingCollector(from: nil, to: from)
      learner.isLearning = true
      check(from, &learner)
      findings.known = learner.known
      check(to, &findings)
      findings.known = []
    }
    return report(kind, from: from, to: to, findings, records: records)
  }

  /// Checks stored records and subscriptions against a schema, as the server would.
  ///
  /// - Parameters:
  ///   - records: The records and subscriptions.
  ///   - document: The schema. For the development environment, the schema after they were saved.
  ///   - environment: The environment. Server messages are only quoted for production, where they
  ///     are known.
  /// - Throws: ``SchemaError/syntax(_:)`` if the schema has errors.
  public func validate(
    _ records: RecordCensus, against document: SchemaDocument,
    environment: ContainerInfo.Environment = .production
  ) throws -> SchemaReport {
    let schema = try document.validSchema()
    var findings = collector(to: document)
    check(
      RecordCheck(
        records, under: schema, production: schema, model: document.model,
        environment: environment), &findings)
    // The server rejects what it would have to add with an invalid name, or above its limits.
    if environment == .development {
      check(document, &findings) { $0.category == .validate && $0.defaultSeverity == .error }
    }
    return report(.records, to: document, findings, records: records)
  }

  /// Checks whether a schema has the record types and fields that source code uses, and whether the
  /// fields that the code encrypts are encrypted.
  ///
  /// A field whose record type is unknown is missing if no record type has it. CloudKit's own record
  /// types and fields are not checked. Comments in the code allow known findings: in the line, or
  /// above it, `// recordpack:allow FIELD_NOT_DEPLOYED reason`, and anywhere in the file
  /// `// recordpack:allow FIELD_NOT_DEPLOYED(Todo.order) reason`.
  ///
  /// - Throws: ``SchemaError/syntax(_:)`` if the schema has errors.
  public func check(_ uses: SourceUses, against document: SchemaDocument) throws -> SchemaReport {
    let check = CodeCheck(try document.validSchema())
    var suppressions = Suppressions(configuration.suppressions)
    suppressions.add(uses.comments)
    var findings = FindingCollector(from: nil, to: document, suppressions)
    for rule in SchemaRule.all where SchemaRule.sourceRules.contains(rule.id) {
      run(rule, &findings) { findings in
        for use in uses.uses { check.report(use, under: rule.id, to: &findings) }
        for gap in uses.gaps where gap.rule == rule.id {
          let command =
            "recordpack schema diff \(document.name.shellWord) \(uses.source.shellWord)"
          findings.report(
            .schema, gap.message,
            hint: gap.rule == SchemaRule.mirroringNotScanned.id
              ? "check the model: \(command)" : rule.remedy, location: gap.location)
        }
      }
    }
    return report(.source, to: document, findings, source: uses)
  }

  // MARK: - Rules

  private func collector(from: SchemaDocument? = nil, to: SchemaDocument) -> FindingCollector {
    var suppressions = Suppressions(configuration.suppressions)
    suppressions.add(commentsOf: to)
    if let model = to.model { suppressions.add(model.comments) }
    return FindingCollector(from: from, to: to, suppressions)
  }

  /// Runs the check of a rule, unless the rule is off.
  private func run(
    _ rule: SchemaRule, _ findings: inout FindingCollector,
    _ check: (inout FindingCollector) -> Void
  ) {
    let severity = configuration.severity(of: rule)
    guard severity != .off else { return }
    findings.begin(rule, severity: severity)
    check(&findings)
  }

  private func check(_ records: RecordCheck, _ findings: inout FindingCollector) {
    for rule in SchemaRule.all {
      guard case .records(let check) = rule.check else { continue }
      run(rule, &findings) { check(records, &$0) }
    }
  }

  private func check(
    _ document: SchemaDocument, _ findings: inout FindingCollector,
    where isIncluded: (SchemaRule) -> Bool = { _ in true }
  ) {
    for rule in SchemaRule.all where isIncluded(rule) {
      guard case .schema(let check) = rule.check else { continue }
      run(rule, &findings) { check(document, &$0) }
    }
  }

  /// Checks the model that a schema was derived from.
  ///
  /// - Parameter production: The schema that must have what the model needs in some cases.
  private func check(
    _ model: MirroredModel?, production: CloudSchema? = nil, _ findings: inout FindingCollector
  ) {
    guard let model else { return }
    let problems = Dictionary(
      grouping: model.problems + MirroredSchema(model).conflicts, by: \.rule)
    let index = production.map { SchemaIndex($0) }
    for rule in SchemaRule.all where rule.needsModel {
      run(rule, &findings) { findings in
        for problem in problems[rule.id] ?? [] { findings.report(problem, of: model) }
        switch rule.check {
        case .model(let body): body(model, &findings)
        case .modelInProduction(let body): if let index { body(model, index, &findings) }
        default: break
        }
      }
    }
  }

  // MARK: - Reports

  private func report(
    _ kind: SchemaCheckKind, from: SchemaDocument? = nil, to: SchemaDocument,
    _ collected: FindingCollector, records: RecordCensus? = nil, source: SourceUses? = nil
  ) -> SchemaReport {
    var findings = collected
    run(.suppressionMalformed, &findings, reportMalformed)
    let unused = findings.suppressions.unused
    // A suppression of all rules must not suppress this finding.
    findings.suppressions = Suppressions()
    run(.suppressionUnused, &findings) { findings in
      for suppression in unused
      where couldApply(
        suppression, to: kind, hasRecords: records != nil, hasModel: to.model != nil)
      {
        Self.reportUnused(suppression, to: &findings)
      }
    }
    return SchemaReport(
      kind: kind, from: from?.name, to: to.name,
      findings: SchemaFinding.sorted(findings.findings),
      suppressed: findings.suppressed.sorted { SchemaFinding.precedes($0.finding, $1.finding) },
      limitedRules: findings.limited, records: records.map(SchemaReport.CheckedRecords.init),
      source: source.map(SchemaReport.CheckedSource.init),
      model: to.model.map(SchemaReport.CheckedModel.init))
  }

  private func reportMalformed(_ findings: inout FindingCollector) {
    let suppressions = findings.suppressions
    for comment in suppressions.malformed {
      findings.report(
        comment.subject, comment.message, hint: comment.hint, location: comment.location)
    }
    for (rule, count) in suppressions.ignored.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      findings.report(
        .schema,
        "\(Phrase.count(count, "suppression")) with a pattern for \(rule) ignored: at most "
          + "\(Suppressions.maxPatterns) of at most \(Suppressions.maxPatternLength) bytes are used",
        hint: "name the subjects, or use a more general pattern")
    }
  }

  /// Whether a suppression could have been used: its rule was applied, and for source code it is a
  /// comment, because the configuration is for all checks.
  private func couldApply(
    _ suppression: Suppression, to kind: SchemaCheckKind, hasRecords: Bool, hasModel: Bool
  ) -> Bool {
    guard let rule = SchemaRule.named(suppression.rule), rule.checkKinds.contains(kind),
      configuration.severity(of: rule) != .off, hasRecords || !rule.needsRecords,
      hasModel || !rule.needsModel
    else { return false }
    if kind == .source, case .configuration = suppression.source { return false }
    return true
  }

  private static func reportUnused(
    _ suppression: Suppression, to findings: inout FindingCollector
  ) {
    let subject = suppression.subject.map { " on \($0)" } ?? ""
    let allowed = "allows \(suppression.rule)\(subject), which has no finding"
    switch suppression.source {
    case .comment(let location):
      findings.report(.schema, "a comment \(allowed)", hint: "remove it", location: location)
    case .configuration(let file, let line):
      findings.report(.schema, "\(file):\(line) \(allowed)", hint: "remove it")
    }
  }
}
