import Foundation
import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel
import RecordPages
import RecordText

extension DiffCommand {
  // MARK: Text

  func text(_ comparison: ArchiveComparison) throws -> ArchiveDifference {
    let standard = StandardOutput()
    let printer = ChangeText(style: report.style, showEncrypted: showEncrypted)
    var statistics = DifferenceStatistics()
    let difference = try comparison.run { change in
      if stat { return statistics.add(change) }
      ProgressBar.clearLine()
      for line in printer.lines(change) { try standard.line(line) }
    }
    ProgressBar.clearLine()
    if stat, !difference.isEmpty {
      for line in statistics.table.lines(report.style) { try standard.line(line) }
    }
    if !difference.isEmpty { try standard.line() }
    try standard.line(Self.summary(difference))
    try standard.flush()
    return difference
  }

  private static func summary(_ difference: ArchiveDifference) -> String {
    guard !difference.isEmpty else {
      return "No differences: \(Numbers.count(difference.unchanged, "record")) the same"
    }
    let counts = [
      (difference.added, "added"), (difference.removed, "removed"), (difference.changed, "changed"),
    ]
    let parts =
      counts.filter { $0.0 > 0 }.map { "\(Numbers.grouped($0.0)) \($0.1)" }
      + ["\(Numbers.grouped(difference.unchanged)) the same"]
    let others =
      difference.others == 0
      ? "" : "; \(Numbers.count(difference.others, "other difference"))"
    return "Records: \(parts.joined(separator: ", "))\(others)"
  }

  // MARK: Page

  /// Writes the differences as a page. Its summary comes first, so the changes are kept in a
  /// temporary file until all are known.
  func page(_ comparison: ArchiveComparison) throws -> ArchiveDifference {
    guard let file = output.file else {
      let standard = StandardOutput()
      let difference = try page(comparison) { try standard.write($0) }
      try standard.flush()
      return difference
    }
    return try Interruption.whileWriting {
      try FrameOutput.write(to: file, overwrite: output.force) { sink in
        try page(comparison) { try sink.write($0) }
      }
    }
  }

  private func page(
    _ comparison: ArchiveComparison, _ write: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> ArchiveDifference {
    func name(_ path: String) -> String {
      path == "-" ? "standard input" : URL(fileURLWithPath: path).lastPathComponent
    }
    var page = DifferencePage(
      first: name(first), second: name(second), showEncrypted: showEncrypted, isSummary: stat)
    let spool = TextSpool()
    let difference = try comparison.run { change in try spool.write(page.add(change).text) }
    try spool.write(page.end().text)
    ProgressBar.clearLine()
    try Array(page.opening(difference).text.utf8).withUnsafeBytes(write)
    try spool.forEachPiece(write)
    try Array(page.closing(difference).text.utf8).withUnsafeBytes(write)
    return difference
  }

  // MARK: JSON

  /// Writes one object. Each difference is written as it is found, as there may be millions.
  func json(_ comparison: ArchiveComparison) throws -> ArchiveDifference {
    let standard = StandardOutput()
    let head = ReportOptions.document("diff", ["first": first, "second": second])
    var document = try StreamedDocument(head, list: "changes", to: standard)
    var statistics = DifferenceStatistics()
    let difference = try comparison.run { change in
      if stat { statistics.add(change) } else { try document.add(json(change)) }
    }
    let records: JSONValue = [
      "added": difference.added, "removed": difference.removed, "changed": difference.changed,
      "unchanged": difference.unchanged,
    ]
    try document.end([
      "equal": difference.isEmpty, "records": records, "others": difference.others,
      "statistics": stat ? statistics.json : nil,
    ])
    ProgressBar.clearLine()
    try standard.flush()
    return difference
  }

  private func json(_ change: ArchiveChange) throws -> JSONValue {
    func object(_ kind: ArchiveChange.Kind, _ noun: String, _ objects: JSONValue...) -> JSONValue {
      objects.reduce(["change": kind.rawValue, "kind": noun]) { $0.adding($1) }
    }
    switch change {
    case .item(let kind, let item, let changes):
      return object(kind, item.kind.rawValue, Self.json(item, changes), try members(changes))
    case .recordAdded(let record, let database):
      return object(
        .added, "record", RecordLocation(database, record).json(record.recordType),
        try fields(of: RecordDifference(of: record, isAdded: true)))
    case .recordRemoved(let record, let database):
      return object(
        .removed, "record", RecordLocation(database, record).json(record.recordType),
        try fields(of: RecordDifference(of: record, isAdded: false)))
    case .recordChanged(let difference, let type, let database):
      return object(
        .changed, "record", RecordLocation(database, difference.recordID).json(type),
        try members(difference))
    }
  }

  private static func json(_ item: ArchiveChange.Item, _ changes: [MemberChange]) -> JSONValue {
    func name(of kinds: ArchiveChange.Item.Kind...) -> String? {
      kinds.contains(item.kind) ? item.name : nil
    }
    return [
      "database": item.database?.rawValue, "zoneID": item.zoneID?.jsonValue(),
      "names": item.kind == .container ? changes.map(\.name) : nil,
      "subscriptionID": name(of: .subscription), "recordName": name(of: .tombstone),
      "sha256": name(of: .asset), "size": item.size,
    ]
  }

  private var disclosure: RecordDisclosure { RecordDisclosure(showEncrypted: showEncrypted) }

  /// The changes of an item that is not a record; nothing if it was added or removed.
  private func members(_ changes: [MemberChange]) throws -> JSONValue {
    /// A member is hidden by its name, too.
    func shown(_ name: String, _ json: RawJSON?) throws -> JSONValue? {
      guard let json else { return nil }
      let member = JSONValue.Member(name, try JSONParser.parse(json.text))
      let shown = disclosure.shown(.object([member])).members?.first?.value
      return shown ?? .string(RecordDisclosure.hidden)
    }
    let members = try changes.map { change -> JSONValue in
      [
        "name": change.name, "before": try shown(change.name, change.before),
        "after": try shown(change.name, change.after),
      ]
    }
    return ["members": members.isEmpty ? nil : members]
  }

  private func fields(of difference: RecordDifference) throws -> JSONValue {
    let zoneID = difference.recordID.zoneID
    let fields = try difference.fields.map { change -> JSONValue in
      [
        "name": change.name,
        "before": try change.before.map { disclosure.shown(try $0.dictionary(in: zoneID)) },
        "after": try change.after.map { disclosure.shown(try $0.dictionary(in: zoneID)) },
      ]
    }
    return ["fields": fields]
  }

  private func members(_ difference: RecordDifference) throws -> JSONValue {
    let system = difference.system.map { change -> JSONValue in
      let name = change.field.name
      return [
        "name": name, "before": change.before.map { disclosure.shown($0, named: name) },
        "after": change.after.map { disclosure.shown($0, named: name) },
      ]
    }
    return .merging(try fields(of: difference), ["system": system])
  }
}

extension DifferenceStatistics {
  fileprivate var table: Table {
    var table = Table([.left, .left, .left, .right, .right, .right])
    table.add("DATABASE", "ZONE", "TYPE", "ADDED", "REMOVED", "CHANGED", color: .dim)
    for key in keys {
      let names = [
        Table.Cell(key.database.rawValue), .init("\(key.zoneID)"), .init(key.type.string, .cyan),
      ]
      table.add(names + Self.cells(counts[key] ?? Counts()))
    }
    for name in others.keys.sorted() {
      table.add([.init(name), .init(""), .init("")] + Self.cells(others[name] ?? Counts()))
    }
    return table
  }

  private static func cells(_ counts: Counts) -> [Table.Cell] {
    func cell(_ count: Int, _ color: TerminalStyle.Color) -> Table.Cell {
      count == 0 ? .init("0", .dim) : .init(Numbers.grouped(count), color)
    }
    return [cell(counts.added, .green), cell(counts.removed, .red), cell(counts.changed, .yellow)]
  }
}
