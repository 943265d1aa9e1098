/// A report for a terminal: findings grouped by category, each with its location.
struct TextReport {
  let isColored: Bool

  func render(_ report: SchemaReport) -> String {
    var lines = [style(report.heading.printable, .bold)]
    lines += (report.model?.lines ?? []).map(\.printable)
    var category: SchemaCategory?
    for finding in report.merged {
      if finding.category != category {
        category = finding.category
        lines += ["", style("\(finding.category.rawValue) · \(finding.category.heading)", .bold)]
      }
      lines += render(finding)
    }
    if !report.suppressed.isEmpty {
      lines += ["", style("Suppressed", .bold)]
      for passed in report.suppressed {
        let finding = passed.finding
        lines.append("  \(finding.rule) \(finding.subject): \(passed.suppression.reason)".printable)
      }
    }
    if let note = report.limitNote { lines += ["", note] }
    if let extended = report.extendedSchema {
      lines += ["", style("Created just in time", .bold)]
      lines += extended.additions.map { "  + \($0)" }
      if extended.additions.isEmpty {
        lines.append("  nothing: the schema already has all stored types and fields")
      }
      lines += extended.notes.map { "  ? \($0)" }
    }
    lines += ["", report.summary]
    if let step = report.nextStep { lines.append(step) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func render(_ finding: SchemaFinding) -> [String] {
    let place = finding.location.map { "\($0): ".printable } ?? ""
    let severity = style(finding.severity.rawValue, color(of: finding.severity))
    let title = "\(finding.rule) \(finding.subject)".printable
    var lines = ["  \(place)\(severity): \(title)", "      \(finding.message.printable)"]
    if let others = finding.othersPhrase { lines.append("      \(others.printable)") }
    if let records = finding.records { lines.append("      in \(records.phrase)") }
    if let hint = finding.hint { lines.append("      → \(hint.printable)") }
    if let former = finding.formerLocation {
      lines.append(style("      in \(former.description.printable)", .dim))
    }
    return lines
  }

  private enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case yellow = "33"
    case cyan = "36"
    case blue = "34"
  }

  private func color(of severity: SchemaSeverity) -> Style {
    switch severity {
    case .error: .red
    case .warning: .yellow
    case .note: .cyan
    case .info, .off: .blue
    }
  }

  private func style(_ text: String, _ style: Style) -> String {
    isColored ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
