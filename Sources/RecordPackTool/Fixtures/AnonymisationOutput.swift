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
  let smallestGroup: Int

  private var fields: [(key: AnonymisationReport.Key, field: AnonymisationReport.Field)] {
    result.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func lines(_ style: TerminalStyle) -> [String] {
    var lines = [
      name.map { name in
        "Anonymised \(Numbers.count(result.records, "record")) to \(name.visible)"
          + (result.assets > 0 ? "; \(Numbers.count(result.assets, "asset"))" : "")
      } ?? "All \(Numbers.count(result.records, "record"))"
    ]
    var table = Table([.left, .left, .right, .left])
    for (key, field) in fields where !key.recordType.isEmpty || field.hasFindings {
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
    return lines + keptLines(style)
  }

  /// The numbers of values that few records have.
  private func keptLines(_ style: TerminalStyle) -> [String] {
    var lines: [String] = []
    if !result.keptValues.isEmpty {
      lines.append("Kept values, and those in fewer than \(smallestGroup) records:")
      var table = Table([.left, .right, .right])
      for kept in result.keptValues where kept.fields.count == 1 || kept.rare > 0 {
        let fields =
          kept.fields.count > 2
          ? ": all \(kept.fields.count) kept fields" : ".\(kept.fields.joined(separator: " + "))"
        table.add([
          .init("\(kept.recordType)\(fields)".visible),
          .init(Numbers.grouped(kept.distinct)),
          .init("\(Numbers.grouped(kept.rare)) rare", kept.rare > 0 ? .yellow : nil),
        ])
      }
      lines += table.lines(style, indent: "  ")
    }
    let unique = Numbers.count(
      result.uniqueByReferences, "record or user", plural: "records or users")
    lines.append("References alone single out \(unique).")
    if result.isCountCut { lines.append("There was too much to count all of it.") }
    return lines
  }

  private static func title(_ key: AnonymisationReport.Key) -> String {
    (key.recordType.isEmpty ? "the \(key.field)" : "\(key.recordType).\(key.field)").visible
  }

  private static func notes(_ field: AnonymisationReport.Field) -> [String] {
    var notes: [String] = []
    if field.emails > 0 {
      notes.append("\(Numbers.count(field.emails, "email address", plural: "email addresses"))")
    }
    if field.phones > 0 { notes.append("\(Numbers.count(field.phones, "phone number"))") }
    if field.places > 0 { notes.append("\(Numbers.count(field.places, "place"))") }
    if field.dates > 0 { notes.append("\(Numbers.count(field.dates, "date"))") }
    if field.names > 0 { notes.append("\(Numbers.count(field.names, "word")) of names") }
    return notes
  }

  /// Warns of what still looks personal, and of rules that may be misspelled.
  func warn() {
    if !result.unmetRules.isEmpty {
      ErrorReport.warn("no record has what the policy names: \(result.unmetRules.firstFew)")
    }
    for (key, field) in result.findings {
      var found: [String] = []
      if field.emails > 0 { found.append("email addresses") }
      if field.phones > 0 { found.append("phone numbers") }
      if field.places > 0 { found.append("coordinates") }
      if field.dates > 0 { found.append("dates or years of birth") }
      if field.names > 0 { found.append("names of the source") }
      ErrorReport.warn(
        "\(Self.title(key)) was kept, and has what looks like "
          + found.joined(separator: " and "))
    }
    if result.linesWithEmails > 0, result.findings.allSatisfy({ $0.field.emails == 0 }) {
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
        "kept": field.kept, "emails": field.emails, "phones": field.phones,
        "places": field.places, "dates": field.dates, "names": field.names,
      ]
    }
    return [
      "records": result.records, "assets": result.assets, "missingAssets": result.missingAssets,
      "droppedFields": result.droppedFields,
      "recordsWithEmails": result.linesWithEmails, "isNameSearchCut": result.isNameSearchCut,
      "unmetRules": Array(result.unmetRules), "fields": fields,
      "k": smallestGroup, "uniqueByReferences": result.uniqueByReferences,
      "isCountCut": result.isCountCut,
      "keptValues": result.keptValues.map { kept -> JSONValue in
        [
          "recordType": kept.recordType, "fields": Array(kept.fields), "values": kept.distinct,
          "rare": kept.rare,
        ]
      },
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
    let summary = AnonymisationSummary(
      result: result, name: nil, smallestGroup: anonymisation.smallestGroup)
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
