import RecordArchive
import RecordCoding
import RecordFixtures
import RecordModel
import RecordText

/// The result of an anonymisation.
struct AnonymisationSummary: CommandReport {
  static let format = "fixture-anonymise"
  let result: AnonymisationReport
  /// The name of the bundle; nil for a preview, which writes none.
  let name: String?

  private var fields: [(key: AnonymisationReport.Key, field: AnonymisationReport.Field)] {
    result.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func lines(_ style: TerminalStyle) -> [String] {
    var lines = [
      name.map { name in
        "Pseudonymised \(Numbers.count(result.records, "record")) to \(name.visible)"
          + (result.assets > 0 ? "; \(Numbers.count(result.assets, "asset"))" : "")
      } ?? "All \(Numbers.count(result.records, "record"))"
    ]
    var table = Table([.left, .left, .right, .left])
    for (key, field) in fields where !key.recordType.isEmpty || !field.found.isEmpty {
      let rules = field.rules.map(\.rawValue).sorted().joined(separator: ", ")
      table.add([
        .init(Self.title(key)), .init(rules, field.kept > 0 ? .yellow : nil),
        .init(Numbers.grouped(field.replaced + field.kept)),
        .init(Self.notes(field).joined(separator: "; "), field.hasFindings ? .red : nil),
      ])
    }
    lines += table.lines(style, indent: "  ")
    if result.droppedFields > 0 {
      lines.append(
        "  left out: \(Numbers.count(result.droppedFields, "value")) of unknown types")
    }
    if result.droppedReferences > 0 {
      lines.append(
        "  left out: \(Numbers.count(result.droppedReferences, "reference")) to records of dropped types"
      )
    }
    return lines + verdictLines(style)
  }

  /// The persons who stand alone, and by what.
  private func verdictLines(_ style: TerminalStyle) -> [String] {
    let verdict = result.verdict
    let alone = verdict.alone == 0 ? "none" : Numbers.grouped(verdict.alone)
    var lines = [
      "The source has \(Numbers.count(verdict.persons, "person")). By what remains, \(alone) "
        + "\(verdict.alone < 2 ? "stands" : "stand") alone"
        + (verdict.traces.isEmpty ? "." : "; by each part:")
    ]
    var table = Table([.left, .right])
    for trace in verdict.traces {
      table.add([.init(trace.name.visible), .init(Numbers.grouped(trace.alone), .yellow)])
    }
    lines += table.lines(style, indent: "  ")
    if verdict.isCut { lines.append("There was too much to count all of it.") }
    return lines
  }

  private static func title(_ key: AnonymisationReport.Key) -> String {
    if !key.recordType.isEmpty { return "\(key.recordType).\(key.field)".visible }
    return switch AnonymisationPolicy.Place(rawValue: key.field) {
    case .dates: "the creation and modification dates"
    case .names: "the kept names"
    case .comments: "the comments of the schema"
    case .identifier: "the container identifier"
    case .version: "the schema version"
    default: "the \(key.field)".visible
    }
  }

  private static func notes(_ field: AnonymisationReport.Field) -> [String] {
    let found = PersonalKind.allCases.compactMap { kind in
      field.found[kind].map { "\($0) \(kind.words)" }
    }
    let kept = field.kept > 0 && field.replaced > 0 ? ["\(Numbers.grouped(field.kept)) kept"] : []
    return kept + found + (field.accepted.map { ["accepted: \($0.visible)"] } ?? [])
  }

  /// Warns of what still looks personal.
  func warn() {
    for (key, field) in result.findings {
      let found = PersonalKind.allCases.filter { field.found[$0] != nil }.map(\.words)
      ErrorReport.warn(
        "\(Self.title(key)) \(key.field.hasSuffix("s") && key.recordType.isEmpty ? "were" : "was") "
          + "kept, and has what looks like \(found.joined(separator: " and "))")
    }
    if result.hasUnknownEmails {
      ErrorReport.warn(
        "\(Numbers.count(result.linesWithEmails, "record")) of the result have what looks like an "
          + "email address")
    }
    if result.isNameSearchCut {
      ErrorReport.warn("there were too many words to compare all with the names of the source")
    }
    if result.missingAssets > 0 {
      ErrorReport.warn(
        "the source does not have the bytes of \(Numbers.count(result.missingAssets, "asset"))")
    }
  }

  var json: JSONValue {
    let fields = fields.map { key, field -> JSONValue in
      [
        "recordType": key.recordType, "field": key.field,
        "rules": field.rules.map(\.rawValue).sorted(), "replaced": field.replaced,
        "kept": field.kept,
        "found": JSONValue.object(
          PersonalKind.allCases.compactMap { kind in
            field.found[kind].map { .init(kind.rawValue, .integer($0)) }
          }), "accepted": field.accepted.map { JSONValue.string($0) } ?? JSONValue.null,
      ]
    }
    let verdict = result.verdict
    return [
      "records": result.records, "assets": result.assets, "missingAssets": result.missingAssets,
      "droppedFields": result.droppedFields, "droppedReferences": result.droppedReferences,
      "recordsWithEmails": result.linesWithEmails, "isNameSearchCut": result.isNameSearchCut,
      "fields": fields, "persons": verdict.persons, "alone": verdict.alone,
      "aloneBy": verdict.traces.map { ["name": $0.name, "alone": $0.alone] as JSONValue },
      "isCountCut": verdict.isCut,
    ]
  }
}

/// Shows records before and after an anonymisation, side by side.
struct AnonymisationPreview {
  let report: ReportOptions
  let showEncrypted: Bool

  /// Prints the first records of a source, and the counts of all.
  func print(
    _ count: Int, of source: ArchiveSource, _ anonymisation: Anonymisation
  ) throws -> AnonymisationSummary {
    let output = StandardOutput()
    var left = count
    let result = try anonymisation.preview(source) { record, after, database in
      guard left > 0 else { return }
      let lines =
        report.isJSON
        ? [try document(record, after, database).visibleText]
        : text(record, after, isFirst: left == count)
      for line in lines { try output.line(line) }
      left -= 1
    }
    let summary = AnonymisationSummary(result: result, name: nil)
    let lines =
      report.isJSON
      ? [ReportOptions.document("fixture-anonymise", summary.json).visibleText]
      : [""] + summary.lines(report.style)
    for line in lines { try output.line(line) }
    try output.flush()
    return summary
  }

  private func document(
    _ before: ResultRecord, _ after: ResultRecord, _ database: DatabaseScope
  ) throws -> JSONValue {
    let disclosure = RecordDisclosure(showEncrypted: showEncrypted)
    return ReportOptions.document(
      "fixture-anonymise-preview",
      [
        "before": try disclosure.line(before, database),
        "after": try disclosure.line(after, database),
      ])
  }

  // MARK: Text

  private func text(_ before: ResultRecord, _ after: ResultRecord, isFirst: Bool) -> [String] {
    var rows = systemRows(before, after)
    let text = FieldText(showEncrypted: showEncrypted)
    for field in before.fields {
      rows.append(
        (field.name, text.line(field), after.field(named: field.name).map(text.line) ?? ""))
    }
    let width = StandardOutput.terminalWidth ?? 120
    let nameWidth = min(24, width / 4, rows.map(\.0.columns).max() ?? 0)
    let half = max(4, (width - nameWidth - 6) / 2)
    var table = Table([.left, .left, .left])
    for (name, old, new) in rows {
      table.add([
        .init(name.visible.cut(to: nameWidth), .dim),
        .init(old.cut(to: half), old == new ? .dim : nil),
        .init(new.cut(to: half), old == new ? .dim : .green),
      ])
    }
    return (isFirst ? [] : [""]) + [report.style.paint(before.recordType.visible, .bold)]
      + table.lines(report.style, indent: "  ")
  }

  private func systemRows(
    _ before: ResultRecord, _ after: ResultRecord
  ) -> [(String, String, String)] {
    var rows: [(String, String, String)] = []
    func add(_ name: String, _ value: (ResultRecord) -> String?) {
      guard let old = value(before) else { return }
      rows.append((name, old.visible, (value(after) ?? "").visible))
    }
    add("record name") { $0.recordID.recordName }
    add("change tag") { $0.recordChangeTag }
    add("zone") { $0.recordID.zoneID.description }
    add("created") { $0.creationDate?.inWords }
    add("by") { $0.systemFields.created?.userRecordName }
    add("modified") { $0.modificationDate?.inWords }
    add("parent") { $0.parent.map { $0.recordID.recordName } }
    add("share") { $0.share.map { $0.recordID.recordName } }
    return rows
  }
}
