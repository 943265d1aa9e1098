import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel
import RecordText

/// The output of `inspect`.
struct Inspection {
  let path: String
  let source: ArchiveSource
  let summary: ArchiveSummary

  private var bundle: BundleReader? {
    if case .bundle(let bundle) = source { return bundle }
    return nil
  }

  func lines(_ style: TerminalStyle) -> [String] {
    let kind = bundle.map { "bundle, format \($0.header.formatVersion)" } ?? "container"
    var lines = ["\(style.paint(path.visible, .bold))  \(style.paint(kind, .dim))"]
    lines += facts().lines(style, indent: "  ")
    lines.append("")
    lines += InspectionTable(summary).lines(style)
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
    let accounts = summary.info.accounts.map { JSONValue.string($0.userRecordName) }
    add("accounts", accounts.isEmpty ? nil : .array(accounts))
    add("schemaVersion", summary.info.schemaVersion.map(JSONValue.string))
    add("schemaBytes", summary.info.schema.map { .integer($0.utf8.count) })
    add("bytes", summary.fileBytes.map { .integer($0) })
    add("contentBytes", summary.contentBytes.map { .integer($0) })
    add("contentHash", bundle.map { .string($0.contentHash) })
    add(
      "files", bundle.map { bundle in .array(bundle.indexes.indices.map { file($0, of: bundle) }) })
    add("records", .integer(summary.records))
    add("recordBytes", .integer(summary.recordBytes))
    add("zones", .array(summary.zones.map { ZoneLocation($0.database, $0.zoneID).json }))
    add("sections", .array(summary.sections.map(Self.section)))
    add("subscriptions", .integer(summary.subscriptions))
    add("tombstones", .integer(summary.tombstones))
    add("zoneTombstones", .integer(summary.zoneTombstones))
    add("assets", .integer(summary.assets))
    add("assetBytes", .integer(summary.assetBytes))
    return ReportOptions.document("inspect", members)
  }

  private func file(_ number: Int, of bundle: BundleReader) -> JSONValue {
    let index = bundle.indexes[number]
    return .object([
      .init("path", .string(bundle.fileNames[number])),
      .init("contentHash", .string(index.contentHash)),
      .init("indexSHA256", .string(bundle.indexDigests[number])),
      .init("frames", .integer(index.frames.count)), .init("lines", .integer(index.lines)),
    ])
  }

  private static func section(_ section: ArchiveSource.Section) -> JSONValue {
    .object(
      ZoneLocation(section.database, section.zoneID).members + [
        .init("recordType", .string(section.recordType)),
        .init("records", .integer(section.records)), .init("bytes", .integer(section.bytes)),
      ])
  }
}
