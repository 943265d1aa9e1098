import Foundation

/// A report as SARIF 2.1.0 for code scanning services.
enum SARIFReport {
  static func render(_ report: SchemaReport) -> String {
    // Only rules with findings are listed, because the log is stored with every run.
    let found = Set(report.allFindings.map(\.rule))
    let rules = SchemaRule.all.filter { found.contains($0.id) }
    var positions: [SchemaRule.ID: Int] = [:]
    for (position, rule) in rules.enumerated() { positions[rule.id] = position }
    // The standard requires suppressions in all results or in none.
    let unsuppressed: [Suppression]? = report.suppressed.isEmpty ? nil : []
    let results =
      report.findings.map { result($0, at: positions[$0.rule], suppressions: unsuppressed) }
      + report.suppressed.map {
        result($0.finding, at: positions[$0.finding.rule], suppressions: [$0.suppression])
      }
    let run: JSONText = [
      "tool": ["driver": ["name": "RecordPack", "rules": .array(rules.map(describe))]],
      "columnKind": "unicodeCodePoints", "results": .array(results),
      "properties": properties(report),
    ]
    let log: JSONText = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
    ]
    return log.rendered
  }

  private static func properties(_ report: SchemaReport) -> JSONText? {
    let lines = report.model?.lines ?? []
    guard report.limitNote != nil || !lines.isEmpty else { return nil }
    return [
      "notListed": .optional(report.limitNote),
      "model": lines.isEmpty ? nil : .array(lines.map(JSONText.string)),
    ]
  }

  private static func describe(_ rule: SchemaRule) -> JSONText {
    [
      "id": .string(rule.id.rawValue), "shortDescription": ["text": .string(rule.title)],
      "fullDescription": ["text": .string(rule.effect)],
      "help": ["text": .string(rule.remedy), "markdown": .string(rule.explanation)],
      "defaultConfiguration": ["level": .string(level(rule.defaultSeverity))],
      "properties": ["tags": [.string(rule.category.rawValue)]],
    ]
  }

  private static func result(
    _ finding: SchemaFinding, at position: Int?, suppressions: [Suppression]?
  ) -> JSONText {
    // In a message, `[…](…)` would be a link.
    let message = (finding.fullMessage + (finding.hint.map { " → " + $0 } ?? ""))
      .replacingLiterally("](", with: "] (")
    let subject = finding.subject.description
    return [
      "ruleId": .string(finding.rule.rawValue), "ruleIndex": position.map(JSONText.integer),
      "level": .string(level(finding.severity)), "message": ["text": .string(message)],
      "locations": finding.location.map {
        [location($0, logical: [["fullyQualifiedName": .string(subject)]])]
      },
      "relatedLocations": finding.formerLocation.map {
        [location($0, message: ["text": "former definition"])]
      },
      // Line numbers change between versions; rule and subject do not.
      "partialFingerprints": ["ruleAndSubject/v1": .string("\(finding.rule) \(subject)")],
      "suppressions": suppressions.map { .array($0.map(object)) },
    ]
  }

  private static func object(_ suppression: Suppression) -> JSONText {
    let kind =
      switch suppression.source {
      case .comment: "inSource"
      case .configuration: "external"
      }
    return ["kind": .string(kind), "justification": .string(suppression.reason)]
  }

  private static func location(
    _ location: SchemaLocation, logical: JSONText? = nil, message: JSONText? = nil
  ) -> JSONText {
    let physical: JSONText = [
      "artifactLocation": ["uri": .string(uri(location.file))],
      // GitHub requires a line, even for a file or folder as a whole.
      "region": [
        "startLine": .integer(max(1, location.span.line)),
        "startColumn": .integer(max(1, location.span.column)),
      ],
    ]
    return ["physicalLocation": physical, "logicalLocations": logical, "message": message]
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
    file.addingPercentEncoding(withAllowedCharacters: pathCharacters) ?? file
  }

  private static let pathCharacters = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~")
}
