/// The report for a comment on a pull request.
enum MarkdownReport {
  static func render(_ report: SchemaReport) -> String {
    var lines = ["### RecordPack: " + escaped(report.heading), "", escaped(report.summary), ""]
    var category: SchemaCategory?
    for finding in report.findings {
      if finding.category != category {
        if category != nil { lines.append("") }
        category = finding.category
        lines += [
          "#### \(finding.category.heading)", "", "| | Rule | Subject | Finding | Place |",
          "|---|---|---|---|---|",
        ]
      }
      lines.append(row(finding))
    }
    if !report.findings.isEmpty { lines.append("") }
    if !report.omitted.isEmpty { lines += report.omittedLines.map { "- " + escaped($0) } + [""] }
    if let growth = report.growth, !growth.additions.isEmpty {
      lines += ["#### Made just in time", ""] + growth.additions.map { "- " + code($0) } + [""]
    }
    if !report.suppressed.isEmpty {
      lines += [
        "<details><summary>\(report.suppressedCount) allowed to pass</summary>", "",
        "| Rule | Subject | Reason |", "|---|---|---|",
      ]
      lines += report.suppressed.map {
        "| `\($0.finding.rule)` | \(code($0.finding.subject.description)) "
          + "| \(escaped($0.allowance.reason)) |"
      }
      lines += ["", "</details>", ""]
    }
    return lines.joined(separator: "\n")
  }

  private static func row(_ finding: SchemaFinding) -> String {
    let sign =
      switch finding.severity {
      case .error: "🔴 error"
      case .warning: "🟡 warning"
      case .note: "🔵 note"
      case .info, .off: "info"
      }
    var text = escaped(finding.fullMessage)
    if let hint = finding.hint { text += "<br>→ " + escaped(hint) }
    let place = finding.location.map { code($0.description) } ?? ""
    return
      "| \(sign) | `\(finding.rule)` | \(code(finding.subject.description)) | \(text) | \(place) |"
  }

  /// A table cell in code style; a grave accent or bar in it would end the cell.
  private static func code(_ text: String) -> String {
    let safe = text.printable.unicodeScalars.map { $0 == "`" || $0 == "|" ? " " : Character($0) }
    return safe.isEmpty ? "` `" : "`" + String(safe) + "`"
  }

  /// Text that makes no markup, link, mention or formula: names are anybody's text.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.printable.unicodeScalars {
      switch scalar {
      case ".": result += result.hasSuffix("www") ? "&#46;" : "."
      case "/": result += result.hasSuffix(":") ? "&#47;" : "/"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "@": result += "&#64;"  // No account is to be called by a name in a schema.
      case "|", "\\", "`", "*", "_", "[", "]", "#", "~", "$": result += "\\" + String(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
