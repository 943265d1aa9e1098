import RecordModel
import RecordSchema

/// Writes findings. A rule is explained where it is found first; later findings lead there.
struct FindingMarkup {
  private var explained: Set<SchemaRule.ID> = []

  /// A list of findings; empty for none.
  mutating func list(_ findings: [SchemaFinding]) -> HTML {
    guard !findings.isEmpty else { return .empty }
    let items = findings.map { finding -> HTML in
      let subject = finding.subject.recordType == nil && finding.subject.role != nil
      return "<li>\(markup(finding, withSubject: subject))</li>"
    }
    return "<ul class=\"findings\">\n\(items)\n</ul>"
  }

  /// Rows of a table for findings about the row above.
  mutating func rows(_ findings: [SchemaFinding], columns: Int) -> [HTML] {
    findings.map { "<tr class=\"finding\"><td colspan=\"\(columns)\">\(markup($0))</td></tr>" }
  }

  private mutating func markup(_ finding: SchemaFinding, withSubject: Bool = false) -> HTML {
    let subject: HTML? = withSubject ? "<code>\(finding.subject.description)</code>: " : nil
    let hint: HTML? = finding.hint.map { "<p class=\"quiet\">→ \($0)</p>" }
    let places = [finding.location, finding.formerLocation].compactMap { $0?.description }
    let place: HTML? =
      places.isEmpty
      ? nil : "<p class=\"quiet mono\">\(places.joined(separator: ", formerly "))</p>"
    return """
      <div class="found"><p>\(Self.badge(finding.severity)) \(subject)\(finding.fullMessage)</p>\
      \(hint)\(place)\(rule(finding.rule))</div>
      """
  }

  static func badge(_ severity: SchemaSeverity) -> HTML {
    let change: HTML =
      switch severity {
      case .error: " removed filled"
      case .warning: " changed filled"
      case .note, .info, .off: ""
      }
    return "<span class=\"badge\(change)\">\(severity.rawValue)</span>"
  }

  private mutating func rule(_ id: SchemaRule.ID) -> HTML {
    guard let rule = SchemaRule.named(id) else { return "<p><code>\(id.rawValue)</code></p>" }
    guard explained.insert(id).inserted else {
      return "<p class=\"quiet\"><a href=\"#rule-\(id.rawValue)\">\(id.rawValue)</a></p>"
    }
    let evidence = rule.evidence.map { "<li>\($0.strength.rawValue): \($0.text)</li>" as HTML }
    return """
      <details id="rule-\(id.rawValue)">
      <summary><code>\(id.rawValue)</code> \(rule.title)</summary>
      <p>\(rule.effect)</p>
      <p>\(rule.remedy)</p>
      <ul class="quiet">
      \(evidence)
      </ul>
      </details>
      """
  }
}
