/// A report for a pull request comment.
enum MarkdownReport {
  /// - Parameter failOn: The least severity that fails the check.
  static func render(_ report: SchemaReport, failOn: SchemaSeverity = .error) -> String {
    var lines = ["### RecordPack: " + escaped(report.heading), ""]
    lines += ["**\(verdict(report, failOn))** " + escaped(report.summary), ""]
    for line in [report.nextStep].compactMap({ $0 }) + (report.model?.lines ?? []) {
      lines += [escaped(line), ""]
    }
    lines += types(report)
    var category: SchemaCategory?
    var isFolded = false
    for finding in report.merged {
      if finding.category != category {
        if category != nil { lines.append("") }
        category = finding.category
        // The last category. It is folded if nothing in it is worth a look.
        if finding.category == .info, finding.severity == .info,
          report.findings.last?.category == .info
        {
          isFolded = true
          lines += ["<details><summary>\(finding.category.heading)</summary>", ""]
        } else {
          lines += ["#### \(finding.category.heading)", ""]
        }
        lines += ["| | Rule | Subject | Finding | Location |", "|---|---|---|---|---|"]
      }
      lines.append(row(finding))
    }
    if !report.findings.isEmpty { lines.append("") }
    if isFolded { lines += ["</details>", ""] }
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

  /// The verdict in a few words.
  private static func verdict(_ report: SchemaReport, _ failOn: SchemaSeverity) -> String {
    let fails = report.fails(at: .error)
    if !fails, report.fails(at: failOn) {
      return "🟡 No errors, but findings that fail the check (\(failOn.rawValue) or worse)."
    }
    // Of a model with errors, they tell nothing about production.
    if fails, report.findings.allSatisfy({ $0.severity < .error || $0.category == .model }) {
      return "❌ The model has errors."
    }
    return switch report.kind {
    case .deploy: fails ? "❌ It cannot be deployed." : "✅ It can be deployed."
    case .drift, .source:
      fails ? "❌ Production lacks what the app needs." : "✅ Production has what the app needs."
    case .validate: fails ? "❌ It is not valid." : "✅ It is valid."
    case .records: fails ? "❌ Records would be rejected." : "✅ The records would be accepted."
    }
  }

  /// A line for each record type: its rules, each with the fields.
  private static func types(_ report: SchemaReport) -> [String] {
    var order: [String] = []
    var findings: [String: [SchemaFinding]] = [:]
    for finding in report.findings {
      guard let type = finding.subject.recordType else { continue }
      if findings[type] == nil { order.append(type) }
      findings[type, default: []].append(finding)
    }
    guard !order.isEmpty else { return [] }
    var lines = ["| | Record type | Findings |", "|---|---|---|"]
    for type in order {
      var rules: [SchemaRule.ID] = []
      var fields: [SchemaRule.ID: [String]] = [:]
      for finding in findings[type] ?? [] {
        if fields[finding.rule] == nil { rules.append(finding.rule) }
        // Code can use a field in several places.
        let names = fields[finding.rule] ?? []
        fields[finding.rule] =
          names + [finding.subject.field].compactMap { $0 }.filter { $0 != names.last }
      }
      let parts = rules.map { rule in
        let names = fields[rule] ?? []
        let list = names.prefix(10).map(code).joined(separator: ", ")
        return "`\(rule)`" + (list.isEmpty ? "" : " " + list)
          + (names.count > 10 ? " and \(names.count - 10) more" : "")
      }
      let worst = findings[type]?.map(\.severity).max() ?? .info
      lines.append("| \(sign(worst)) | \(code(type)) | \(parts.joined(separator: "; ")) |")
    }
    return lines + [""]
  }

  private static func sign(_ severity: SchemaSeverity) -> String {
    switch severity {
    case .error: "🔴 error"
    case .warning: "🟡 warning"
    case .note: "🔵 note"
    case .info, .off: "info"
    }
  }

  private static func row(_ finding: SchemaFinding) -> String {
    let sign = sign(finding.severity)
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
