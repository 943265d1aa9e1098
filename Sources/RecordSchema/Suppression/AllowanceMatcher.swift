import RecordModel

/// Finds the allowance for a finding, by dictionary lookup if the allowance names its subject
/// exactly.
///
/// Patterns are matched one by one, so their number per rule and their length are limited. Those
/// beyond the limit have no effect and are counted in ``ignored``.
struct AllowanceMatcher {
  /// The maximum number of allowances per rule with a `*` in their subject.
  static let maxPatterns = 100
  /// The maximum length of a subject with a `*`, in bytes.
  static let maxPatternLength = 1024

  /// The number of allowances without effect, by rule.
  private(set) var ignored: [SchemaRule.ID: Int] = [:]
  private let allowances: [SchemaAllowance]
  private var exact: [Key: Int] = [:]
  private var patterns: [SchemaRule.ID: [(text: [UInt8], index: Int)]] = [:]
  private var ineffective: Set<Int> = []
  private var used: Set<Int> = []
  /// The last result, cached because rules often report several findings about the same subject in
  /// a row.
  private var latest: (rule: SchemaRule.ID, subject: SchemaSubject, index: Int?)?

  private struct Key: Hashable {
    var rule: SchemaRule.ID
    var subject: ExactString
  }

  init(_ allowances: [SchemaAllowance]) {
    self.allowances = allowances
    for (index, allowance) in allowances.enumerated() {
      guard allowance.subject.utf8.contains(UInt8(ascii: "*")) else {
        let key = Key(rule: allowance.rule, subject: ExactString(allowance.subject))
        if exact[key] == nil { exact[key] = index }
        continue
      }
      let text = Array(allowance.subject.utf8)
      if text.count <= Self.maxPatternLength,
        patterns[allowance.rule, default: []].count < Self.maxPatterns
      {
        patterns[allowance.rule, default: []].append((text, index))
      } else {
        ineffective.insert(index)
        ignored[allowance.rule, default: 0] += 1
      }
    }
  }

  mutating func allowance(for subject: SchemaSubject, of rule: SchemaRule.ID) -> SchemaAllowance? {
    guard !allowances.isEmpty else { return nil }
    if latest?.rule != rule || latest?.subject != subject {
      latest = (rule, subject, index(for: subject, of: rule))
    }
    guard let index = latest?.index else { return nil }
    used.insert(index)
    return allowances[index]
  }

  private func index(for subject: SchemaSubject, of rule: SchemaRule.ID) -> Int? {
    let name = ExactString(subject.description)
    if let index = exact[Key(rule: rule, subject: name)] { return index }
    if let type = subject.recordType, let index = exact[Key(rule: rule, subject: ExactString(type))]
    {
      return index
    }
    guard let patterns = patterns[rule] else { return nil }
    let texts = subject.texts
    return patterns.first { pattern in
      texts.contains { Glob.matches($0, pattern.text) }
    }?.index
  }

  /// The allowances that suppressed nothing, without those that had no effect.
  var unused: [SchemaAllowance] {
    allowances.indices.filter { !used.contains($0) && !ineffective.contains($0) }
      .map { allowances[$0] }
  }
}
