import RecordModel

/// Finds the permission that lets a finding pass, by dictionary where it names its subject.
///
/// Patterns are tried one by one, so their number for one rule and their length have a bound;
/// those beyond it have no effect and are among the ``refused``.
struct AllowanceMatcher {
  /// How many permissions for one rule may have a `*` in their subject.
  static let maximumPatterns = 100
  /// The longest subject with a `*`, in bytes.
  static let maximumPatternLength = 1024

  /// How many permissions of each rule have no effect.
  private(set) var refused: [SchemaRule.ID: Int] = [:]
  private let allowances: [SchemaAllowance]
  private var exact: [Key: Int] = [:]
  private var patterns: [SchemaRule.ID: [(text: [UInt8], index: Int)]] = [:]
  private var ineffective: Set<Int> = []
  private var used: Set<Int> = []
  /// The latest answer: rules report several findings in one place after the other.
  private var latest: (rule: SchemaRule.ID, subject: SchemaSubject, index: Int?)?

  private struct Key: Hashable {
    var rule: SchemaRule.ID
    var subject: NameKey
  }

  init(_ allowances: [SchemaAllowance]) {
    self.allowances = allowances
    for (index, allowance) in allowances.enumerated() {
      guard allowance.subject.utf8.contains(UInt8(ascii: "*")) else {
        let key = Key(rule: allowance.rule, subject: NameKey(allowance.subject))
        if exact[key] == nil { exact[key] = index }
        continue
      }
      let text = Array(allowance.subject.utf8)
      if text.count <= Self.maximumPatternLength,
        patterns[allowance.rule, default: []].count < Self.maximumPatterns
      {
        patterns[allowance.rule, default: []].append((text, index))
      } else {
        ineffective.insert(index)
        refused[allowance.rule, default: 0] += 1
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
    let name = NameKey(subject.description)
    if let index = exact[Key(rule: rule, subject: name)] { return index }
    if let type = subject.recordType,
      let index = exact[Key(rule: rule, subject: NameKey(type))]
    {
      return index
    }
    guard let patterns = patterns[rule] else { return nil }
    let texts = subject.texts
    return patterns.first { pattern in
      texts.contains { Glob.matches($0, pattern.text) }
    }?.index
  }

  /// The permissions that let nothing pass, though they could have.
  var unused: [SchemaAllowance] {
    allowances.indices.filter { !used.contains($0) && !ineffective.contains($0) }
      .map { allowances[$0] }
  }
}
