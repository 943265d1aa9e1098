/// Finds the permission that lets a finding pass, by dictionary where it names its subject.
struct AllowanceMatcher {
  private let allowances: [SchemaAllowance]
  private var exact: [Key: Int] = [:]
  private var patterns: [SchemaRule.ID: [Int]] = [:]
  private var used: Set<Int> = []

  private struct Key: Hashable {
    var rule: SchemaRule.ID
    var subject: String
  }

  init(_ allowances: [SchemaAllowance]) {
    self.allowances = allowances
    for (index, allowance) in allowances.enumerated() {
      if allowance.subject.utf8.contains(UInt8(ascii: "*")) {
        patterns[allowance.rule, default: []].append(index)
      } else {
        let key = Key(rule: allowance.rule, subject: allowance.subject)
        if exact[key] == nil { exact[key] = index }
      }
    }
  }

  mutating func allowance(for finding: SchemaFinding) -> SchemaAllowance? {
    guard let index = index(for: finding) else { return nil }
    used.insert(index)
    return allowances[index]
  }

  private func index(for finding: SchemaFinding) -> Int? {
    let subject = finding.subject
    if let index = exact[Key(rule: finding.rule, subject: subject.description)] { return index }
    if let type = subject.recordType, let index = exact[Key(rule: finding.rule, subject: type)] {
      return index
    }
    return patterns[finding.rule]?.first { subject.matches(allowances[$0].subject) }
  }

  /// The permissions that let nothing pass.
  var unused: [SchemaAllowance] {
    allowances.indices.filter { !used.contains($0) }.map { allowances[$0] }
  }
}
