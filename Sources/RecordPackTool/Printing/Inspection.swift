import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel

/// A bundle or container in numbers, for people and for programs.
struct Inspection {
  let path: String
  let source: ArchiveSource
  let summary: ArchiveSummary

  private var bundle: BundleReader? {
    if case .bundle(let bundle) = source { return bundle }
    return nil
  }

  func lines(_ style: Style) -> [String] {
    let kind = bundle.map { "bundle, format \($0.header.formatVersion)" } ?? "container"
    var lines = ["\(style.paint(path.visible, .bold))  \(style.paint(kind, .dim))"]
    lines += facts().lines(style, indent: "  ")
    lines.append("")
    lines += table(style)
    return lines
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
    add("schema", schema)
    add("size", size)
    if let bundle {
      if bundle.fileNames.count > 1 {
        add("files", Numbers.grouped(bundle.fileNames.count))
        for name in bundle.fileNames { add("", name) }
      }
      for index in bundle.indexes { add("digest", index.contentDigest) }
    }
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
    let ratio = Numbers.threeDigits(Double(content) / Double(max(1, bytes)))
    let frames = bundle?.indexes.reduce(0) { $0 + $1.frames.count } ?? 0
    return "\(Numbers.size(bytes)), \(ratio) times smaller than the \(Numbers.size(content)) of its "
      + "lines; \(Numbers.count(frames, "frame"))"
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

  // MARK: Table

  /// One line of the table; zones without records have one too.
  private struct Row {
    var database: DatabaseScope
    var zone: ZoneID
    var type: String?
    var records: Int
    var bytes: Int
  }

  private var rows: [Row] {
    var rows = summary.sections.map {
      Row(
        database: $0.database, zone: $0.zoneID, type: $0.recordType, records: $0.records,
        bytes: $0.bytes)
    }
    for zone in summary.zones
    where !summary.sections.contains(where: {
      $0.database == zone.database && $0.zoneID == zone.zoneID
    }) {
      let place = rows.firstIndex { row in
        row.database != zone.database ? zone.database < row.database : zone.zoneID < row.zone
      }
      rows.insert(
        Row(database: zone.database, zone: zone.zoneID, type: nil, records: 0, bytes: 0),
        at: place ?? rows.count)
    }
    return rows
  }

  private func table(_ style: Style) -> [String] {
    let rows = rows
    guard !rows.isEmpty else { return ["  no zones, no records"] }
    var table = Table([.left, .left, .left, .right, .right, .right, .left])
    table.add(
      "DATABASE", "ZONE", "TYPE", "RECORDS", "SIZE", "SHARE", "", color: .dim)
    let total = summary.recordBytes
    var previous: Row?
    for row in rows {
      let isSameDatabase = previous?.database == row.database
      let isSameZone = isSameDatabase && previous?.zone == row.zone
      let share = total > 0 ? Double(row.bytes) / Double(total) : 0
      table.add([
        .init(row.database.rawValue, isSameDatabase ? .dim : nil),
        .init("\(row.zone)", isSameZone ? .dim : nil), .init(row.type ?? "–", row.type == nil ? .dim : .cyan),
        .init(Numbers.grouped(row.records)), .init(Numbers.size(row.bytes)),
        .init(row.type == nil ? "" : Self.percent(share)),
        .init(StandardOutput.isTerminal ? Self.bar(share) : "", .green),
      ])
      previous = row
    }
    table.add([
      .init("total", .bold), .init(""), .init(""), .init(Numbers.grouped(summary.records), .bold),
      .init(Numbers.size(total), .bold),
    ])
    return table.lines(style, indent: "  ")
  }

  private static func percent(_ share: Double) -> String {
    share > 0 && share < 0.01 ? "< 1 %" : "\(Int((share * 100).rounded())) %"
  }

  /// A bar of up to 16 cells, in eighths of a cell.
  private static func bar(_ share: Double) -> String {
    let eighths = Int((share * 128).rounded(.up))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }

  // MARK: JSON

  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("path", .string(path)), .init("kind", .string(bundle == nil ? "container" : "bundle")),
    ]
    func add(_ name: String, _ value: JSONValue?) {
      if let value { members.append(.init(name, value)) }
    }
    add("formatVersion", bundle.map { .integer($0.header.formatVersion) })
    add("container", summary.info.identifier.map(JSONValue.string))
    add("environment", summary.info.environment.map { .string($0.rawValue) })
    add("currentUser", summary.info.currentUserRecordName.map(JSONValue.string))
    add("schemaVersion", summary.info.schemaVersion.map(JSONValue.string))
    add("schemaBytes", summary.info.schema.map { .integer($0.utf8.count) })
    add("bytes", summary.fileBytes.map { .integer($0) })
    add("contentBytes", summary.contentBytes.map { .integer($0) })
    add("files", bundle.map { .array(zip($0.fileNames, $0.indexes).map(Self.file)) })
    add("records", .integer(summary.records))
    add("recordBytes", .integer(summary.recordBytes))
    add("zones", .array(summary.zones.map { Identity($0.database, $0.zoneID).json }))
    add("sections", .array(summary.sections.map(Self.section)))
    add("subscriptions", .integer(summary.subscriptions))
    add("tombstones", .integer(summary.tombstones))
    add("zoneTombstones", .integer(summary.zoneTombstones))
    add("assets", .integer(summary.assets))
    add("assetBytes", .integer(summary.assetBytes))
    return ReportOptions.document("inspect", members)
  }

  private static func file(_ name: String, _ index: BundleIndex) -> JSONValue {
    .object([
      .init("path", .string(name)), .init("contentDigest", .string(index.contentDigest)),
      .init("frames", .integer(index.frames.count)), .init("lines", .integer(index.lines)),
    ])
  }

  private static func section(_ section: ArchiveSource.Section) -> JSONValue {
    let identity = Identity(section.database, section.zoneID, type: section.recordType).members
    return .object(
      identity + [
        .init("records", .integer(section.records)), .init("bytes", .integer(section.bytes)),
      ])
  }
}
