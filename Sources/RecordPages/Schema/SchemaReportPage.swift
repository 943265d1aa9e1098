import RecordModel
import RecordSchema
import RecordText

/// A report on a schema as a page: the answer, the diagram, and each type with its changes and what
/// was found about it.
package struct SchemaReportPage {
  let report: SchemaReport
  let failOn: SchemaSeverity
  let types: ReportedTypes
  private let diagram: SchemaDiagram?

  /// The most types of a diagram. With more, only those that the report is about are drawn, and what
  /// refers to them.
  static let maxTypes = 60

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - failOn: The least severity of findings with which the answer is no.
  ///   - from: The schema that was compared with, if any.
  ///   - to: The schema that was checked; nil to show findings alone.
  ///   - records: What records refer to, if they were scanned.
  package init(
    _ report: SchemaReport, failOn: SchemaSeverity = .error, from: CloudSchema? = nil,
    to: CloudSchema? = nil, records: SchemaReferences? = nil
  ) {
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
    if changes.schema.recordTypes.count > Self.maxTypes {
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
    let rows = types.sections.map { section -> HTML in
      let counts = [SchemaSeverity.error, .warning, .note, .info].map { severity -> HTML in
        let count = section.findings.count { $0.severity == severity }
        return "<td class=\"number\">\(count == 0 ? "" : String(count))</td>"
      }
      return """
        <tr><td><a href="#\(section.anchor)">\(section.name)</a></td>\
        <td>\(section.badge)</td>\(counts)</tr>
        """
    }
    return """
      <div class="scroll"><table>
      <thead><tr><th>Record type</th><th></th><th class="number">Errors</th>\
      <th class="number">Warnings</th><th class="number">Notes</th><th class="number">Info</th></tr>
      </thead>
      <tbody>
      \(rows)
      </tbody>
      </table></div>
      """
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
    let rows = report.suppressed.map { passed -> HTML in
      """
      <tr><td><code>\(passed.finding.rule.rawValue)</code></td>\
      <td>\(passed.finding.subject.description)</td><td>\(passed.finding.fullMessage)</td>\
      <td>\(passed.suppression.reason)</td></tr>
      """
    }
    return """
      <details>
      <summary>\(Numbers.count(report.suppressed.count, "suppressed finding"))</summary>
      <div class="scroll"><table>
      <thead><tr><th>Rule</th><th>Subject</th><th>Finding</th><th>Reason</th></tr></thead>
      <tbody>
      \(rows)
      </tbody>
      </table></div>
      </details>
      """
  }

  private var omitted: HTML {
    report.limitNote.map { section("Not listed", "<p>\($0)</p>") } ?? .empty
  }
}
