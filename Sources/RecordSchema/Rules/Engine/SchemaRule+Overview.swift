extension SchemaRule {
  /// A Markdown page that lists all rules by category, with links to their documentation pages.
  public static var overview: String {
    var lines = [
      "# Rules", "",
      "The rules for checking schemas, with their severity and evidence.",
      "", "## Overview", "",
      "Every rule has a stable identifier. Severities can be changed, and known findings",
      "suppressed: see ``SchemaConfiguration``.",
    ]
    for category in SchemaCategory.allCases {
      let rules = all.filter { $0.category == category }
      if rules.isEmpty { continue }
      lines += ["", "### \(category.rawValue): \(category.heading)", ""]
      lines += ["| Rule | Severity | Used by | |", "|---|---|---|---|"]
      lines += rules.map { rule in
        let questions = rule.questions.map(\.rawValue).joined(separator: ", ")
        return
          "| <doc:\(rule.id)> | \(rule.defaultSeverity.rawValue) | \(questions) | \(rule.title) |"
      }
    }
    lines += ["", "## Topics"]
    for category in SchemaCategory.allCases {
      let rules = all.filter { $0.category == category }
      if rules.isEmpty { continue }
      lines += ["", "### \(category.heading)", ""] + rules.map { "- <doc:\($0.id)>" }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
