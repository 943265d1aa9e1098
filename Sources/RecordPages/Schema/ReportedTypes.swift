import RecordModel
import RecordSchema
import RecordText

/// The record types that a report is about, and what was found about each.
struct ReportedTypes {
  struct Section {
    var name: String
    var anchor: String
    var change: DiagramChanges.Change?
    var findings: [SchemaFinding]
    /// The type in either schema, as in the newer one if it is in both; nil if it is in neither.
    var schema: CloudSchema.RecordType?
    /// The grants that differ.
    var grants: [(role: String, from: CloudSchema.Permissions, to: CloudSchema.Permissions)] = []

    var badge: HTML {
      change.map { "<span class=\"badge \($0.rawValue) filled\">\($0.rawValue)</span>" } ?? .empty
    }
  }

  private(set) var sections: [Section] = []
  /// The addresses of the sections in the page.
  private(set) var anchors: [ExactString: String] = [:]
  /// What was found about no type.
  let general: [SchemaFinding]
  private let from: CloudSchema?
  private let to: CloudSchema?
  private let changes: DiagramChanges?

  init(_ report: SchemaReport, from: CloudSchema?, to: CloudSchema?, changes: DiagramChanges?) {
    (self.from, self.to, self.changes) = (from, to, changes)
    general = report.findings.filter { $0.subject.recordType == nil }
    let found = Dictionary(
      grouping: report.findings.filter { $0.subject.recordType != nil },
      by: { ExactString($0.subject.recordType ?? "") })
    let changed = changes?.types ?? [:]
    let schemas = Dictionary(
      (changes?.schema.recordTypes ?? []).map { (ExactString($0.name), $0) },
      uniquingKeysWith: { first, _ in first })
    var places: [ExactString: Int] = [:]
    for name in Set(found.keys).union(changed.keys).sorted() {
      let section = Section(
        name: name.string, anchor: "type-\(sections.count + 1)", change: changed[name],
        findings: found[name] ?? [], schema: schemas[name])
      anchors[name] = section.anchor
      places[name] = sections.count
      sections.append(section)
    }
    guard let from, let to else { return }
    for case .grantChanged(let subject, let before, let after) in SchemaDiff(from: from, to: to)
      .changes
    {
      guard let place = places[ExactString(subject.recordType ?? "")] else { continue }
      sections[place].grants.append((subject.role ?? "", before, after))
    }
  }

  // MARK: Markup

  func markup(of section: Section, _ findings: inout FindingMarkup) -> HTML {
    let own = section.findings.filter { $0.subject.field == nil && $0.subject.role == nil }
    return """
      <section class="reported" id="\(section.anchor)">
      <h2>\(section.name) \(section.badge)</h2>
      \(findings.list(own))
      \(table(of: section, &findings))
      </section>
      """
  }

  private func table(of section: Section, _ findings: inout FindingMarkup) -> HTML {
    let name = ExactString(section.name)
    let marks = changes?.fields[name] ?? [:]
    let former = changes?.former[name] ?? [:]
    let found = Dictionary(
      grouping: section.findings.filter { $0.subject.field != nil },
      by: { ExactString($0.subject.field ?? "") })
    let fields = Dictionary(
      (section.schema?.fields ?? []).map { (ExactString($0.name), $0) },
      uniquingKeysWith: { first, _ in first })
    var rows: [HTML] = []
    for field in Set(found.keys).union(marks.keys).sorted() {
      let now = fields[field]?.diagramText
      let change = marks[field]
      let before = change == .added ? nil : former[field] ?? now
      rows.append(row(field.string, before, change == .removed ? nil : now, change))
      rows += findings.rows(found[field] ?? [], columns: columns)
    }
    rows += grants(section, &findings)
    let rest = unchanged(section, except: marks, found)
    guard !rows.isEmpty else { return rest }
    return """
      <div class="scroll"><table class="reported">
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(rows)
      </tbody>
      </table></div>
      \(rest)
      """
  }

  private var isComparison: Bool { from != nil }
  private var columns: Int { to == nil ? 1 : isComparison ? 3 : 2 }

  private var head: HTML {
    switch columns {
    case 1: "<th>Field</th>"
    case 2: "<th>Field</th><th>Type</th>"
    default: "<th>Field</th><th>Before</th><th>After</th>"
    }
  }

  private func row(
    _ name: String, _ before: String?, _ after: String?, _ change: DiagramChanges.Change?
  ) -> HTML {
    func cell(_ text: String?, _ tag: HTML?) -> HTML {
      guard let text else { return "<td class=\"quiet\">–</td>" }
      guard let tag else { return "<td><code>\(text)</code></td>" }
      return "<td><code><\(tag)>\(text)</\(tag)></code></td>"
    }
    let sign: HTML = change.map { "<span class=\"\($0.rawValue)\">\($0.sign) </span>" } ?? .empty
    let label: HTML? = change.map { " <span class=\"badge \($0.rawValue)\">\($0.rawValue)</span>" }
    let first: HTML = "<th scope=\"row\">\(sign)<code>\(name)</code>\(label)</th>"
    switch columns {
    case 1: return "<tr>\(first)</tr>"
    case 2: return "<tr>\(first)\(cell(after, nil))</tr>"
    default:
      let isMarked = change != nil
      return """
        <tr>\(first)\(cell(before, isMarked ? "del" : nil))\(cell(after, isMarked ? "ins" : nil))</tr>
        """
    }
  }

  /// The grants that differ, and what was found about grants.
  private func grants(_ section: Section, _ findings: inout FindingMarkup) -> [HTML] {
    let found = Dictionary(
      grouping: section.findings.filter { $0.subject.role != nil },
      by: { ExactString($0.subject.role ?? "") })
    let names = Set(found.keys).union(section.grants.map { ExactString($0.role) })
    return names.sorted().flatMap { role -> [HTML] in
      let change = section.grants.first { ExactString($0.role) == role }
      let kept = section.schema?.permissions(of: role.string).description
      func text(_ permissions: CloudSchema.Permissions?) -> String? {
        let text = permissions.map(\.description) ?? kept
        return text?.isEmpty == true ? nil : text
      }
      let row = row(
        "GRANT TO \(role)", text(change?.from), text(change?.to), change == nil ? nil : .changed)
      return [row] + findings.rows(found[role] ?? [], columns: columns)
    }
  }

  /// The fields without a change or finding.
  private func unchanged(
    _ section: Section, except marks: [ExactString: DiagramChanges.Change],
    _ found: [ExactString: [SchemaFinding]]
  ) -> HTML {
    let fields = (section.schema?.userFields ?? []).filter {
      marks[ExactString($0.name)] == nil && found[ExactString($0.name)] == nil
    }
    guard !fields.isEmpty else { return .empty }
    let items = fields.map {
      "<dt><code>\($0.name)</code></dt><dd><code>\($0.diagramText)</code></dd>" as HTML
    }
    let noun = isComparison ? "unchanged field" : "other field"
    return """
      <details>
      <summary>\(Numbers.count(fields.count, noun))</summary>
      <dl>
      \(items)
      </dl>
      </details>
      """
  }
}
