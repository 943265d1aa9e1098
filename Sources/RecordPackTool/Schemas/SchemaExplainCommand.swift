import ArgumentParser
import RecordCoding
import RecordSchema
import RecordText

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
    try refuse(report.givenColor, "to rules, which have no colours")
  }

  func run() throws { try report.write(RuleReport(rules: try rules.map(rule))) }

  private func rule(_ name: String) throws -> SchemaRule {
    if let rule = SchemaRule.named(SchemaRule.ID(rawValue: name.uppercased())) { return rule }
    var near = NearNames(name)
    for rule in SchemaRule.all { near.add(rule.id.rawValue) }
    let hint = near.best.isEmpty ? "" : "; did you mean \(near.best.joined(separator: ", "))?"
    throw CommandError("there is no rule '\(name)'; 'recordpack schema explain' lists all\(hint)")
  }
}

private struct RuleReport: CommandReport {
  static let format = "schema.rules"
  /// The rules to explain; none to list all.
  let rules: [SchemaRule]

  func lines(_ style: TerminalStyle) -> [String] {
    guard rules.isEmpty else {
      return rules.flatMap {
        $0.explanation.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      }.dropLast()
    }
    return SchemaCategory.allCases.flatMap { category -> [String] in
      var table = Table([.left, .left, .left])
      for rule in SchemaRule.all where rule.category == category {
        table.add(rule.id.rawValue, rule.defaultSeverity.rawValue, rule.title)
      }
      let lines = table.lines(style, indent: "  ")
      return lines.isEmpty ? [] : ["\(category.rawValue) · \(category.heading)"] + lines + [""]
    }
  }

  var json: JSONValue { ["rules": (rules.isEmpty ? SchemaRule.all : rules).map(\.json)] }
}

extension SchemaRule {
  fileprivate var json: JSONValue {
    let evidence = evidence.map { evidence -> JSONValue in
      ["strength": evidence.strength.rawValue, "text": evidence.text]
    }
    return [
      "rule": id.rawValue, "category": category.rawValue, "severity": defaultSeverity.rawValue,
      "title": title, "questions": checkKinds.map(\.rawValue), "needsRecords": needsRecords,
      "effect": effect, "remedy": remedy, "evidence": evidence,
    ]
  }
}
