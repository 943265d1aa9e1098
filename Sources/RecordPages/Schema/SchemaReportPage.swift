import RecordModel
import RecordSchema
import RecordText

/// A report on a schema as a page: the verdict, the diagram, and each type with its changes and
/// findings.
package struct SchemaReportPage {
  let report: SchemaReport
  let failOn: SchemaSeverity
  let types: ReportedTypes
  private let diagram: SchemaDiagram?

  /// The most types of a diagram. With more, and for a comparison, only the types that the report is
  /// about are drawn, and what refers to them.
  static let maxTypes = 60

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - failOn: The least severity of findings with which the verdict is no.
  ///   - from: The schema that was compared with, if any.
  ///   - to: The schema that was checked; nil to show findings alone.
  ///   - records: The references of records, if they were scanned.
  package init(
    _ report: SchemaReport, failOn: SchemaSeverity = .error, from: CloudSchema? = nil,
    to: CloudSchema? = nil, records: SchemaReferences? = nil
  ) {
    let report = report.withoutFolders
    self.report = report
    self.failOn = failOn
    let changes = to.map { DiagramChanges(from: from ?? $0, to: $0) }
    types = ReportedTypes(report, from: from, to: to, changes: changes)
    guard let changes else {
      diagram = nil
      return
    }
    let references = SchemaReferences(of: changes.schema, records: records)
    var chosen: Set<ExactString>?
    if from != nil || changes.schema.recordTypes.count > Self.maxTypes {
      chosen = Set(types.sections.filter { $0.schema != nil }.map { ExactString($0.name) })
      let around = references.types(around: chosen ?? [], within: 1)
      if around.count <= Self.maxTypes { chosen = around }
    }
    if let chosen, chosen.count > Self.maxTypes {
      diagram = nil
    } else {
      diagram = SchemaDiagram(
        changes.schema, references: references, only: chosen, changes: from == nil ? nil : changes,
        title: "The record types of \(report.to)",
        link: { [types] in types.anchors[ExactString($0)].map { "#" + $0 } })
    }
  }

  /// The page.
  package var document: PageDocument {
    var findings = FindingMarkup()
    let content: HTML = """
      <h1>\(report.heading)</h1>
      \(verdict)
      \((report.model?.lines ?? []).map { "<p class=\"quiet\">\($0)</p>" as HTML })
      \(overview)
      \(diagram?.figure)
      \(section("The schema", findings.list(types.general)))
      \(types.sections.map { types.markup(of: $0, &findings) })
      \(created)
      \(suppressed)
      \(omitted)
      """
    return PageDocument(
      title: report.heading, header: "<p>Schema report by <code>recordpack</code></p>",
      content: content)
  }

  // MARK: Summary

  private var verdict: HTML {
    let fails = report.fails(at: failOn)
    let (answer, change): (String, HTML) =
      if failOn == .off {
        ("Not judged", "changed")
      } else {
        fails ? ("No", "removed") : ("Yes", "added")
      }
    return """
      <p class="verdict \(change) filled"><strong>\(answer).</strong> \(report.summary)</p>
      """
  }

  private var overview: HTML {
    guard types.sections.count > 1 else { return .empty }
    var table = HTMLTable([
      "Record type", "", .number("Errors"), .number("Warnings"), .number("Notes"), .number("Info"),
    ])
    for section in types.sections {
      func count(_ severity: SchemaSeverity) -> HTML {
        let count = section.findings.count { $0.severity == severity }
        return "\(count == 0 ? "" : String(count))"
      }
      table.add(
        "<a href=\"#\(section.anchor)\">\(section.name)</a>", section.badge, count(.error),
        count(.warning), count(.note), count(.info))
    }
    return table.html
  }

  // MARK: Lists

  private func section(_ title: String, _ content: HTML) -> HTML {
    content.isEmpty ? .empty : "<section>\n<h2>\(title)</h2>\n\(content)\n</section>"
  }

  private var created: HTML {
    guard let extended = report.extendedSchema else { return .empty }
    let items =
      extended.additions.map { "<li><code>\($0)</code></li>" as HTML }
      + extended.notes.map { "<li class=\"quiet\">\($0.description)</li>" as HTML }
    return section("Created just in time", items.isEmpty ? .empty : "<ul>\n\(items)\n</ul>")
  }

  private var suppressed: HTML {
    guard !report.suppressed.isEmpty else { return .empty }
    var table = HTMLTable(["Rule", "Subject", "Finding", "Reason"])
    for passed in report.suppressed {
      table.add(
        "<code>\(passed.finding.rule.rawValue)</code>", "\(passed.finding.subject.description)",
        "\(passed.finding.fullMessage)", "\(passed.suppression.reason)")
    }
    return """
      <details>
      <summary>\(Numbers.count(report.suppressed.count, "suppressed finding"))</summary>
      \(table.html)
      </details>
      """
  }

  private var omitted: HTML {
    report.limitNote.map { section("Not listed", "<p>\($0)</p>") } ?? .empty
  }
}

extension SchemaReport {
  /// The report with the names of files only: a page is sent to others, whom the folders of this
  /// machine do not concern.
  fileprivate var withoutFolders: SchemaReport {
    // A path may have words before it: the schema in /…/App.recordpack.
    func name(_ path: String) -> String {
      guard let start = path.firstIndex(of: "/"), path[..<start].last ?? " " == " " else {
        return path
      }
      return String(path[..<start] + (path.split(separator: "/").last ?? ""))
    }
    func shown(_ finding: SchemaFinding) -> SchemaFinding {
      var finding = finding
      if let file = finding.location?.file { finding.location?.file = name(file) }
      if let file = finding.formerLocation?.file { finding.formerLocation?.file = name(file) }
      return finding
    }
    var report = self
    report.from = from.map(name)
    report.to = name(to)
    if let source = records?.source { report.records?.source = name(source) }
    if let path = source?.source { report.source?.source = name(path) }
    report.model?.containers = (model?.containers ?? []).map { container in
      var container = container
      container.location.file = name(container.location.file)
      return container
    }
    report.findings = findings.map(shown)
    for index in report.suppressed.indices {
      report.suppressed[index].finding = shown(report.suppressed[index].finding)
    }
    return report
  }
}

/// The record types that a report is about, each with its findings.
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
  /// The findings about no type.
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
    var table = HTMLTable(head, style: "reported")
    for field in Set(found.keys).union(marks.keys).sorted() {
      let now = fields[field]?.diagramText
      let change = marks[field]
      let before = change == .added ? nil : former[field] ?? now
      table.add(row: row(field.string, before, change == .removed ? nil : now, change))
      for row in findings.rows(found[field] ?? [], columns: head.count) { table.add(row: row) }
    }
    for row in grants(section, &findings) { table.add(row: row) }
    let rest = unchanged(section, except: marks, found)
    return table.isEmpty ? rest : "\(table.html)\n\(rest)"
  }

  private var isComparison: Bool { from != nil }

  private var head: [HTMLTable.Column] {
    to == nil ? ["Field"] : isComparison ? ["Field", "Before", "After"] : ["Field", "Type"]
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
    switch head.count {
    case 1: return "<tr>\(first)</tr>"
    case 2: return "<tr>\(first)\(cell(after, nil))</tr>"
    default:
      let isMarked = change != nil
      return """
        <tr>\(first)\(cell(before, isMarked ? "del" : nil))\(cell(after, isMarked ? "ins" : nil))</tr>
        """
    }
  }

  /// The grants that differ, and the findings about grants.
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
      return [row] + findings.rows(found[role] ?? [], columns: head.count)
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
    var facts = HTMLFacts()
    for field in fields {
      facts.add("<code>\(field.name)</code>", "<code>\(field.diagramText)</code>" as HTML)
    }
    let noun = isComparison ? "unchanged field" : "other field"
    return """
      <details>
      <summary>\(Numbers.count(fields.count, noun))</summary>
      \(facts.html)
      </details>
      """
  }
}

/// Writes findings. A rule is explained where it is found first; later findings lead there.
struct FindingMarkup {
  private var explained: Set<SchemaRule.ID> = []

  /// A list of findings; empty for none.
  mutating func list(_ findings: [SchemaFinding]) -> HTML {
    guard !findings.isEmpty else { return .empty }
    let items = findings.map { finding -> HTML in
      let subject = finding.subject.recordType == nil && finding.subject.role != nil
      return "<li>\(markup(finding, withSubject: subject))</li>"
    }
    return "<ul class=\"findings\">\n\(items)\n</ul>"
  }

  /// Rows of a table for findings about the row above.
  mutating func rows(_ findings: [SchemaFinding], columns: Int) -> [HTML] {
    findings.map { "<tr class=\"finding\"><td colspan=\"\(columns)\">\(markup($0))</td></tr>" }
  }

  private mutating func markup(_ finding: SchemaFinding, withSubject: Bool = false) -> HTML {
    let subject: HTML? = withSubject ? "<code>\(finding.subject.description)</code>: " : nil
    let hint: HTML? = finding.hint.map { "<p class=\"quiet\">→ \($0)</p>" }
    let places = [finding.location, finding.formerLocation].compactMap { $0?.description }
    let place: HTML? =
      places.isEmpty
      ? nil : "<p class=\"quiet mono\">\(places.joined(separator: ", formerly "))</p>"
    return """
      <div class="found"><p>\(Self.badge(finding.severity)) \(subject)\(finding.fullMessage)</p>\
      \(hint)\(place)\(rule(finding.rule))</div>
      """
  }

  static func badge(_ severity: SchemaSeverity) -> HTML {
    let change: HTML =
      switch severity {
      case .error: " removed filled"
      case .warning: " changed filled"
      case .note, .info, .off: ""
      }
    return "<span class=\"badge\(change)\">\(severity.rawValue)</span>"
  }

  private mutating func rule(_ id: SchemaRule.ID) -> HTML {
    guard let rule = SchemaRule.named(id) else { return "<p><code>\(id.rawValue)</code></p>" }
    guard explained.insert(id).inserted else {
      return "<p class=\"quiet\"><a href=\"#rule-\(id.rawValue)\">\(id.rawValue)</a></p>"
    }
    let evidence = rule.evidence.map { "<li>\($0.strength.rawValue): \($0.text)</li>" as HTML }
    return """
      <details id="rule-\(id.rawValue)">
      <summary><code>\(id.rawValue)</code> \(rule.title)</summary>
      <p>\(rule.effect)</p>
      <p>\(rule.remedy)</p>
      <ul class="quiet">
      \(evidence)
      </ul>
      </details>
      """
  }
}
