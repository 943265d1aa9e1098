extension SchemaRule {
  /// A Markdown page that lists all rules by category, with links to their documentation pages.
  public static var overview: String {
    var lines = [
      "# Rules", "",
      "What is checked in schemas, how much it matters, and where that is known from.",
      "", "## Overview", "",
      "Every rule has a stable identifier. Severities can be changed and known findings allowed:",
      "see ``SchemaConfiguration``.",
    ]
    for category in SchemaCategory.allCases {
      let rules = all.filter { $0.category == category }
      if rules.isEmpty { continue }
      lines += ["", "### \(category.rawValue): \(category.heading)", ""]
      lines += ["| Rule | Severity | Asked by | |", "|---|---|---|---|"]
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
