import RecordArchive
import RecordModel
import RecordText

/// The records by database, zone and type, as a tree with totals.
struct InspectionTable {
  /// A row of the tree. Its depth is 0 for a database, 1 for a zone, 2 for a type.
  private struct Row {
    var depth: Int
    var name: String
    var records = 0
    var bytes = 0
  }

  private let summary: ArchiveSummary
  private var rows: [Row] = []

  init(_ summary: ArchiveSummary) {
    self.summary = summary
    for database in DatabaseScope.allCases { add(database) }
  }

  private mutating func add(_ database: DatabaseScope) {
    let sections = summary.sections.filter { $0.database == database }
    let listed = summary.zones.filter { $0.database == database }.map(\.zoneID)
    let zones = Set(listed).union(sections.map(\.zoneID)).sorted()
    guard !zones.isEmpty else { return }
    rows.append(row(0, database.rawValue, sections))
    for zone in zones {
      let sections = sections.filter { $0.zoneID == zone }
      rows.append(row(1, zone.description, sections))
      rows += sections.map { row(2, $0.recordType, [$0]) }
    }
  }

  private func row(_ depth: Int, _ name: String, _ sections: [ArchiveSource.Section]) -> Row {
    Row(
      depth: depth, name: String(repeating: "  ", count: depth) + name,
      records: sections.reduce(0) { $0 + $1.records },
      bytes: sections.reduce(0) { $0 + $1.bytes })
  }

  func lines(_ style: TerminalStyle) -> [String] {
    guard !rows.isEmpty else { return ["  no zones, no records"] }
    let total = summary.recordBytes
    var table = Table([.left, .right, .right, .right, .left])
    table.add("DATABASE, ZONE, TYPE", "RECORDS", "SIZE", "SHARE", color: .dim)
    for row in rows {
      let share = total > 0 ? Double(row.bytes) / Double(total) : 0
      let isType = row.depth == 2
      table.add([
        .init(row.name, [.bold, nil, .cyan][row.depth]),
        .init(Numbers.grouped(row.records), isType ? nil : .dim),
        .init(Numbers.size(row.bytes), isType ? nil : .dim),
        .init(isType ? Self.percent(share) : ""),
        .init(isType && StandardOutput.isTerminal ? Self.bar(share) : "", .green),
      ])
    }
    table.add([
      .init("total", .bold), .init(Numbers.grouped(summary.records), .bold),
      .init(Numbers.size(total), .bold),
    ])
    return table.lines(style, indent: "  ", fitting: StandardOutput.terminalWidth)
  }

  static func percent(_ share: Double) -> String {
    share > 0 && share < 0.01 ? "< 1 %" : "\(Int((share * 100).rounded())) %"
  }

  /// A bar of up to 12 cells, with a resolution of one eighth.
  private static func bar(_ share: Double) -> String {
    let eighths = min(96, Int((share * 96).rounded(.up)))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }
}
