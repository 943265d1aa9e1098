/// A report as JUnit XML: a test case per rule, which fails if it has findings at or above the
/// given severity. Less severe findings are in the output of the test case.
enum JUnitReport {
  static func render(_ report: SchemaReport, failOn: SchemaSeverity) -> String {
    let findings = Dictionary(grouping: report.findings, by: \.rule)
    let passed = Dictionary(grouping: report.suppressed, by: \.finding.rule)
    var cases: [String] = []
    var failures = 0
    for rule in SchemaRule.all where rule.isAsked(in: report) {
      let found = findings[rule.id] ?? []
      let isFailed = failOn != .off && found.contains { $0.severity >= failOn }
      if isFailed { failures += 1 }
      cases.append(
        testCase(
          rule, found, passed[rule.id] ?? [],
          report.limitedRules.contains(rule.id) ? report.limitNote : nil,
          isFailed: isFailed, report.kind))
    }
    let properties = (report.model?.lines ?? []).map {
      "      <property name=\"model\" value=\"\(escaped($0))\"/>"
    }
    let head = properties.isEmpty ? [] : ["    <properties>"] + properties + ["    </properties>"]
    let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="recordpack schema" \(counts)>
        <testsuite name="\(escaped(report.heading))" \(counts) skipped="0">
      \((head + cases).joined(separator: "\n"))
        </testsuite>
      </testsuites>

      """
  }

  private static func testCase(
    _ rule: SchemaRule, _ findings: [SchemaFinding], _ passed: [SchemaReport.Suppressed],
    _ more: String?, isFailed: Bool, _ kind: SchemaCheckKind
  ) -> String {
    let name = "name=\"\(rule.id)\" classname=\"recordpack.schema.\(kind.rawValue)\""
    if findings.isEmpty, passed.isEmpty { return "    <testcase \(name)/>" }
    var lines = findings.map { finding in
      (finding.location.map { "\($0): " } ?? "") + "\(finding.severity.rawValue): "
        + finding.fullMessage + (finding.hint.map { " → " + $0 } ?? "")
    }
    lines += passed.map { "suppressed (\($0.suppression.reason)): \($0.finding.fullMessage)" }
    if let more { lines.append(more) }
    let body = escaped(lines.joined(separator: "\n"))
    let inner =
      isFailed
      ? "<failure message=\"\(escaped(rule.title))\" type=\"\(rule.category.rawValue)\">" + body
        + "</failure>" : "<system-out>" + body + "</system-out>"
    return "    <testcase \(name)>\n      \(inner)\n    </testcase>"
  }

  /// Escapes markup, and replaces characters that XML 1.0 does not allow.
  private static func escaped(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\n": nil
      case "\t": "&#9;"
      case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: scalar.isControlling ? "\u{FFFD}" : nil
      }
    }
  }
}

extension SchemaRule {
  fileprivate func isAsked(in report: SchemaReport) -> Bool {
    checkKinds.contains(report.kind) && (report.records != nil || !needsRecords)
  }
}
