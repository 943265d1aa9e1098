import RecordArchive
import RecordCoding
import RecordFixtures
import RecordModel
import RecordText

/// Shows records before and after an anonymisation, side by side.
struct AnonymisationPreview {
  let report: ReportOptions
  let showEncrypted: Bool

  private struct Enough: Error {}

  /// Prints the first records of a source.
  func print(_ count: Int, of source: ArchiveSource, _ anonymisation: Anonymisation) throws {
    let output = StandardOutput()
    var left = count
    let info = try source.info()
    do {
      try source.forEachRecord(anonymisation.archiver.filter) { record, database in
        let after = try anonymisation.anonymise(record, of: info)
        let lines =
          report.isJSON
          ? [try document(record, after, database).visibleText]
          : text(record, after, isFirst: left == count)
        for line in lines { try output.line(line) }
        left -= 1
        if left == 0 { throw Enough() }
      }
    } catch is Enough {}
    try output.flush()
  }

  private func document(
    _ before: ResultRecord, _ after: ResultRecord, _ database: DatabaseScope
  ) throws -> JSONValue {
    let disclosure = RecordDisclosure(showEncrypted: showEncrypted)
    return ReportOptions.document(
      "fixture-anonymise-preview",
      [
        .init("before", try disclosure.line(before, database)),
        .init("after", try disclosure.line(after, database)),
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
    var lines = isFirst ? [] : [""]
    lines.append(report.style.paint(before.recordType.visible, .bold))
    for (name, old, new) in rows {
      func cell(_ text: String, _ width: Int) -> String {
        let shown = text.columns > width ? String(text.prefix(columns: width - 1)) + "…" : text
        return shown + String(repeating: " ", count: max(0, width - shown.columns))
      }
      let color: TerminalStyle.Color? = old == new ? .dim : nil
      lines.append(
        "  " + report.style.paint(cell(name.visible, nameWidth), .dim) + "  "
          + report.style.paint(cell(old, half), color) + "  "
          + report.style.paint(
            cell(new, half).trimmingSuffix(" "), old == new ? .dim : .green))
    }
    return lines
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
    add("zone") { $0.recordID.zoneID.description }
    add("created") { $0.creationDate?.inWords }
    add("by") { $0.systemFields.created?.userRecordName }
    add("modified") { $0.modificationDate?.inWords }
    add("parent") { $0.parent.map { $0.recordID.recordName } }
    add("share") { $0.share.map { $0.recordID.recordName } }
    return rows
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> String {
    var text = self
    while text.last == character { text.removeLast() }
    return text
  }
}
