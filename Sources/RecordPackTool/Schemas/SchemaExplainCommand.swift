import ArgumentParser
import RecordCoding
import RecordSchema

struct SchemaExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a rule: its meaning, its effect in CloudKit, and its certainty.",
    discussion: """
      Without a rule, lists all rules.

      EXAMPLES
        recordpack schema explain FIELD_REMOVED
        recordpack schema explain
        recordpack schema explain --json | jq -r '.rules[].title'
      """)

  @Argument(
    help: "Rules, such as FIELD_REMOVED.",
    completion: .list(SchemaRule.all.map(\.id.rawValue)))
  var rules: [String] = []

  @OptionGroup var report: ReportOptions

  func validate() throws {
    try refuse([("--color", report.color == .always)], "to rules, which have no colours")
  }

  func run() throws {
    let found = try rules.map(rule)
    let output = StandardOutput()
    if report.isJSON {
      let shown = found.isEmpty ? SchemaRule.all : found
      let json = ReportOptions.document(
        "schema.rules", [.init("rules", .array(shown.map(\.json)))])
      try output.line(json.visibleText)
    } else if found.isEmpty {
      try list(output)
    } else {
      try output.write(found.map(\.explanation).joined(separator: "\n"))
    }
    try output.flush()
  }

  private func rule(_ name: String) throws -> SchemaRule {
    if let rule = SchemaRule.named(SchemaRule.ID(rawValue: name.uppercased())) { return rule }
    var near = NearNames(name)
    for rule in SchemaRule.all { near.add(rule.id.rawValue) }
    let hint = near.best.isEmpty ? "" : "; did you mean \(near.best.joined(separator: ", "))?"
    throw CommandError("there is no rule '\(name)'; 'recordpack schema explain' lists all\(hint)")
  }

  private func list(_ output: StandardOutput) throws {
    let width = SchemaRule.all.map(\.id.rawValue.count).max() ?? 0
    for category in SchemaCategory.allCases {
      let rules = SchemaRule.all.filter { $0.category == category }
      if rules.isEmpty { continue }
      try output.line("\(category.rawValue) · \(category.heading)")
      for rule in rules {
        let id = rule.id.rawValue
        let padding = String(repeating: " ", count: width - id.count + 2)
        let severity = rule.defaultSeverity.rawValue
        try output.line(
          "  \(id)\(padding)\(severity)\(String(repeating: " ", count: 9 - severity.count))"
            + rule.title)
      }
      try output.line()
    }
  }
}
