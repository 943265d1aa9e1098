/// A report as SARIF 2.1.0 for code scanning services.
enum SARIFReport {
  static func render(_ report: SchemaReport) -> String {
    // Only rules with findings are listed, because the log is stored with every run.
    let found = Set(report.allFindings.map(\.rule))
    let rules = SchemaRule.all.filter { found.contains($0.id) }
    var positions: [SchemaRule.ID: Int] = [:]
    for (position, rule) in rules.enumerated() { positions[rule.id] = position }
    // The standard requires suppressions in all results or in none.
    let unsuppressed: [SchemaAllowance]? = report.suppressed.isEmpty ? nil : []
    let results =
      report.findings.map { result($0, at: positions[$0.rule], allowances: unsuppressed) }
      + report.suppressed.map {
        result($0.finding, at: positions[$0.finding.rule], allowances: [$0.allowance])
      }
    let driver = JSONText.object([
      ("name", .string("RecordPack")), ("rules", .array(rules.map(describe))),
    ])
    let run = JSONText.object([
      ("tool", .object([("driver", driver)])),
      ("columnKind", .string("unicodeCodePoints")),
      ("results", .array(results)),
      (
        "properties",
        report.omitted.isEmpty
          ? nil : .object([("notListed", .array(report.omittedLines.map { .string($0) }))])
      ),
    ])
    return JSONText.object([
      ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
      ("version", .string("2.1.0")),
      ("runs", .array([run])),
    ]).rendered
  }

  private static func describe(_ rule: SchemaRule) -> JSONText {
    .object([
      ("id", .string(rule.id.rawValue)),
      ("shortDescription", .object([("text", .string(rule.title))])),
      ("fullDescription", .object([("text", .string(rule.effect))])),
      (
        "help",
        .object([("text", .string(rule.remedy)), ("markdown", .string(rule.explanation))])
      ),
      ("defaultConfiguration", .object([("level", .string(level(rule.defaultSeverity)))])),
      ("properties", .object([("tags", .array([.string(rule.category.rawValue)]))])),
    ])
  }

  private static func result(
    _ finding: SchemaFinding, at position: Int?, allowances: [SchemaAllowance]?
  ) -> JSONText {
    // In a message, `[…](…)` would be a link.
    let message = (finding.fullMessage + (finding.hint.map { " → " + $0 } ?? ""))
      .replacing("](", with: "] (")
    return .object([
      ("ruleId", .string(finding.rule.rawValue)),
      ("ruleIndex", position.map { .integer($0) }),
      ("level", .string(level(finding.severity))),
      ("message", .object([("text", .string(message))])),
      ("locations", finding.location.map { .array([location($0, of: finding)]) }),
      (
        "relatedLocations",
        finding.formerLocation.map { .array([location($0, message: "as it was")]) }
      ),
      // Line numbers change between versions; rule and subject do not.
      (
        "partialFingerprints",
        .object([("ruleAndSubject/v1", .string("\(finding.rule) \(finding.subject)"))])
      ),
      ("suppressions", allowances.map { .array($0.map(suppression)) }),
    ])
  }

  private static func suppression(_ allowance: SchemaAllowance) -> JSONText {
    let kind =
      switch allowance.source {
      case .comment: "inSource"
      case .configuration: "external"
      }
    return .object([
      ("kind", .string(kind)), ("justification", .string(allowance.reason)),
    ])
  }

  private static func location(
    _ location: SchemaLocation, of finding: SchemaFinding? = nil, message: String? = nil
  ) -> JSONText {
    let span = location.span
    let region = JSONText.object([
      ("startLine", .integer(span.line)), ("startColumn", .integer(span.column)),
    ])
    let physical = JSONText.object([
      ("artifactLocation", .object([("uri", .string(uri(location.file)))])),
      ("region", region),
    ])
    let logical = finding.map { finding -> JSONText in
      let name = finding.subject.description
      return .array([.object([("fullyQualifiedName", .string(name))])])
    }
    return .object([
      ("physicalLocation", physical),
      ("logicalLocations", logical),
      ("message", message.map { .object([("text", .string($0))]) }),
    ])
  }

  private static func level(_ severity: SchemaSeverity) -> String {
    switch severity {
    case .error: "error"
    case .warning: "warning"
    case .note, .info: "note"
    case .off: "none"
    }
  }

  /// Returns the file name as a relative URI reference. Everything but path characters is
  /// percent-encoded, so that `main:schema.ckdb` is not parsed as a scheme.
  private static func uri(_ file: String) -> String {
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    var result = String.UnicodeScalarView()
    for byte in file.utf8 {
      let isDigit = (48...57).contains(byte)
      if SchemaNames.isASCIILetter(byte) || isDigit || "/-._~".utf8.contains(byte) {
        result.append(Unicode.Scalar(byte))
      } else {
        result.append("%")
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
      }
    }
    return String(result)
  }
}
