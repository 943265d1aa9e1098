import ArgumentParser
import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel
import RecordText

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show the metadata, record counts and sizes of a SOURCE.",
    discussion: """
      For a bundle of any size, reads only the header and the index; verify checks
      the rest. 'recordpack schema print' prints the schema. --format csv writes the
      table alone, with a row for each record type of a zone, and one for a zone
      without records.

      For the store of an app with Core Data or SwiftData, shows the entities with
      their counts, and the versions of the model. If CloudKit mirrors the store, it
      counts the objects that were never uploaded, the deletions that wait, and the
      rows about records without an object. It also shows the last import and export
      with their errors.

      EXAMPLES
        recordpack inspect Tact.recordpack
        recordpack inspect default.store
        recordpack inspect Tact.sqlite --json
        recordpack inspect Tact.sqlite --format csv > counts.csv
      """)

  @Argument(
    help: "A bundle, container or app's store; - is standard input.", completion: .file())
  var source: String

  @OptionGroup var table: TableOptions

  func run() throws {
    let damage = DamagedRows()
    let opened = try damage.source(source)
    let summary = try opened.summary()
    var store: StoreInspection?
    if case .appStore(let source) = opened { store = try StoreInspection(source) }
    try table.write(Inspection(path: source, source: opened, summary: summary, store: store))
    try damage.finish()
  }
}

/// The output of `inspect`.
struct Inspection: TableReport {
  static let format = "inspect"
  static let titles = ["database", "zoneName", "ownerName", "recordType", "records", "bytes"]
  let path: String
  let source: ArchiveSource
  let summary: ArchiveSummary
  let store: StoreInspection?

  private var bundle: BundleReader? {
    if case .bundle(let bundle) = source { return bundle }
    return nil
  }

  func lines(_ style: TerminalStyle) -> [String] {
    let kind =
      bundle.map { "bundle, format \($0.header.formatVersion)" } ?? store?.kind ?? "container"
    var lines = ["\(style.paint(path.visible, .bold))  \(style.paint(kind, .dim))"]
    lines += facts().lines(style, indent: "  ")
    lines.append("")
    lines += InspectionTable(summary).lines(style)
    return lines
  }

  /// A row for each record type of a zone, and one for a zone without records.
  var rows: [[String?]] {
    func row(_ zone: ZoneLocation, _ section: ArchiveSource.Section?) -> [String?] {
      [
        zone.database.rawValue, zone.zoneID.zoneName, zone.zoneID.ownerName, section?.recordType,
        String(section?.records ?? 0), String(section?.bytes ?? 0),
      ]
    }
    let sections = Dictionary(grouping: summary.sections) { ZoneLocation($0.database, $0.zoneID) }
    return Set(summary.zones).union(sections.keys).sorted().flatMap { zone in
      sections[zone]?.map { row(zone, $0) } ?? [row(zone, nil)]
    }
  }

  // MARK: Facts

  private func facts() -> Table {
    var table = Table([.left, .left])
    func add(_ name: String, _ text: String?) {
      if let text { table.add([.init(name, .dim), .init(text)]) }
    }
    let info = summary.info
    add("container", info.identifier)
    add("environment", info.environment?.rawValue)
    add("user", info.currentUserRecordName)
    add("accounts", info.accounts.isEmpty ? nil : Numbers.grouped(info.accounts.count))
    add("schema", schema)
    add("size", size)
    if let bundle {
      if bundle.fileNames.count > 1 {
        add("files", Numbers.grouped(bundle.fileNames.count))
        for name in bundle.fileNames { add("", name) }
      }
      add("content", bundle.contentHash)
      for digest in bundle.indexDigests { add("sha256", digest) }
    }
    for (name, text) in store?.facts ?? [] { add(name, text) }
    add("subscriptions", summary.subscriptions > 0 ? Numbers.grouped(summary.subscriptions) : nil)
    add("tombstones", tombstones)
    add("assets", assets)
    return table
  }

  private var schema: String? {
    let info = summary.info
    guard info.schema != nil || info.schemaVersion != nil else { return nil }
    let size = info.schema.map { "\(Numbers.size($0.utf8.count)) of .ckdb" }
    return [info.schemaVersion.map { "version \($0)" }, size].compactMap { $0 }
      .joined(separator: ", ")
  }

  private var size: String? {
    guard let bytes = summary.fileBytes else { return nil }
    guard let content = summary.contentBytes else { return Numbers.size(bytes) }
    let frames = bundle?.indexes.reduce(0) { $0 + $1.frames.count } ?? 0
    return Numbers.compressed(Int(bytes), from: Int(content)) + "; "
      + Numbers.count(frames, "frame")
  }

  private var tombstones: String? {
    var parts: [String] = []
    if summary.tombstones > 0 { parts.append(Numbers.count(summary.tombstones, "record")) }
    if summary.zoneTombstones > 0 { parts.append(Numbers.count(summary.zoneTombstones, "zone")) }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private var assets: String? {
    guard summary.assets > 0 else { return nil }
    let size = Numbers.size(summary.assetBytes)
    return "\(Numbers.grouped(summary.assets)), \(size)\(bundle == nil ? "" : " in base64")"
  }

  // MARK: JSON

  var json: JSONValue {
    let info = summary.info
    let files = bundle.map { bundle in
      bundle.indexes.enumerated().map { number, index -> JSONValue in
        [
          "path": bundle.fileNames[number], "contentHash": index.contentHash,
          "indexSHA256": bundle.indexDigests[number], "frames": index.frames.count,
          "lines": index.lines,
        ]
      }
    }
    let sections = summary.sections.map { section in
      ZoneLocation(section.database, section.zoneID).json.adding([
        "recordType": section.recordType, "records": section.records, "bytes": section.bytes,
      ])
    }
    return [
      "path": path, "kind": bundle != nil ? "bundle" : store != nil ? "store" : "container",
      "formatVersion": bundle?.header.formatVersion, "container": info.identifier,
      "environment": info.environment?.rawValue, "currentUser": info.currentUserRecordName,
      "accounts": info.accounts.isEmpty ? nil : info.accounts.map(\.userRecordName),
      "schemaVersion": info.schemaVersion, "schemaBytes": info.schema?.utf8.count,
      "bytes": summary.fileBytes, "contentBytes": summary.contentBytes,
      "contentHash": bundle?.contentHash, "files": files, "records": summary.records,
      "recordBytes": summary.recordBytes,
      "zones": summary.zones.map(\.json),
      "sections": sections, "subscriptions": summary.subscriptions,
      "tombstones": summary.tombstones, "zoneTombstones": summary.zoneTombstones,
      "assets": summary.assets, "assetBytes": summary.assetBytes, "store": store?.json,
    ]
  }
}

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

  private static func percent(_ share: Double) -> String {
    share > 0 && share < 0.01 ? "< 1 %" : "\(Int((share * 100).rounded())) %"
  }

  /// A bar of up to 12 cells, with a resolution of one eighth.
  private static func bar(_ share: Double) -> String {
    let eighths = min(96, Int((share * 96).rounded(.up)))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }
}
