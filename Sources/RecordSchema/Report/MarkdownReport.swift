/// A report for a pull request comment.
enum MarkdownReport {
  static func render(_ report: SchemaReport) -> String {
    var lines = ["### RecordPack: " + escaped(report.heading), "", escaped(report.summary), ""]
    if let step = report.nextStep { lines += ["**\(step)**", ""] }
    var category: SchemaCategory?
    for finding in report.findings {
      if finding.category != category {
        if category != nil { lines.append("") }
        category = finding.category
        lines += [
          "#### \(finding.category.heading)", "", "| | Rule | Subject | Finding | Location |",
          "|---|---|---|---|---|",
        ]
      }
      lines.append(row(finding))
    }
    if !report.findings.isEmpty { lines.append("") }
    if let note = report.limitNote { lines += [escaped(note), ""] }
    if let extended = report.extendedSchema, !extended.additions.isEmpty {
      lines +=
        ["#### Created just in time", ""] + extended.additions.map { "- " + code($0) } + [""]
    }
    if !report.suppressed.isEmpty {
      lines += [
        "<details><summary>\(report.suppressed.count) suppressed</summary>", "",
        "| Rule | Subject | Reason |", "|---|---|---|",
      ]
      lines += report.suppressed.map {
        "| `\($0.finding.rule)` | \(code($0.finding.subject.description)) "
          + "| \(escaped($0.suppression.reason)) |"
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

  /// Returns a table cell in code style. Backticks and vertical bars would end the cell, so they
  /// become spaces.
  private static func code(_ text: String) -> String {
    let safe = text.printable.unicodeScalars.map { $0 == "`" || $0 == "|" ? " " : Character($0) }
    return safe.isEmpty ? "` `" : "`" + String(safe) + "`"
  }

  /// Escapes markup, links, mentions and formulas, because names in schemas are untrusted.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.printable.unicodeScalars {
      switch scalar {
      case ".": result += result.hasSuffix("www") ? "&#46;" : "."
      case "/": result += result.hasSuffix(":") ? "&#47;" : "/"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "@": result += "&#64;"  // Schema names must not mention accounts.
      case "|", "\\", "`", "*", "_", "[", "]", "#", "~", "$": result += "\\" + String(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
