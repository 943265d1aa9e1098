/// The allowances in comments of source code. One that names no subject applies to the lines of its
/// comment; one that does, to its file.
struct SourceAllowances {
  private struct Key: Hashable {
    var file: String
    var rule: SchemaRule.ID
  }

  private struct Entry {
    var allowance: SchemaAllowance
    var lines: ClosedRange<Int>?
    var isUsed = false
  }

  private(set) var malformed: [(fault: AllowComment.Malformed, location: SchemaLocation)] = []
  private var entries: [Entry] = []
  private var byLine: [Key: [Int: Int]] = [:]
  private var byFile: [Key: [Int]] = [:]

  init(_ comments: [SourceUses.Comment]) {
    for comment in comments {
      let reading = AllowComment.read(comment)
      malformed += reading.malformed.map { ($0, comment.location) }
      for allowance in reading.allowances { add(allowance, comment) }
    }
  }

  private mutating func add(_ allowance: SchemaAllowance, _ comment: SourceUses.Comment) {
    let key = Key(file: comment.location.file, rule: allowance.rule)
    let position = entries.count
    if allowance.subject == AllowComment.unnamedSubject {
      entries.append(Entry(allowance: allowance, lines: comment.lines))
      for line in comment.lines { byLine[key, default: [:]][line] = position }
    } else {
      entries.append(Entry(allowance: allowance))
      byFile[key, default: []].append(position)
    }
  }

  /// The allowance for a finding at a location.
  mutating func allowance(
    for subject: SchemaSubject, of rule: SchemaRule.ID, at location: SchemaLocation
  ) -> SchemaAllowance? {
    let key = Key(file: location.file, rule: rule)
    let found =
      byLine[key]?[location.span.line]
      ?? byFile[key]?.first { subject.matches(entries[$0].allowance.subject) }
    guard let found else { return nil }
    entries[found].isUsed = true
    return entries[found].allowance
  }

  /// The allowances that suppressed nothing.
  var unused: [SchemaAllowance] { entries.filter { !$0.isUsed }.map(\.allowance) }
}
