import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordPages
import RecordStore
import RecordText

/// One record with all its fields, or the records with one name where the address tells no zone.
struct RecordDetailView {
  let context: ConsoleRequest

  /// The number of records that refer to this one, and of records with a name, that are shown.
  private static let maxRecords = 100

  func html() throws -> HTML {
    guard let name = context.value("name") else {
      throw WebError(.badRequest, "the address names no record")
    }
    guard context.value("database") != nil else { return try found(name) }
    let (database, zoneID) = (try context.database(), try context.zoneID())
    let recordID = RecordID(recordName: name, zoneID: zoneID)
    guard let record = try context.store.snapshot({ try $0.record(for: recordID, in: database) })
    else {
      return context.page(
        name, trail: context.trail(database, zoneID),
        live: """
          <p class="empty">There is no such record in the zone \(ConsoleRequest.words(zoneID)) of \
          the \(database.rawValue) database. It may have been deleted, or never exported.</p>
          \(RecordHistoryView(context: context, location: RecordLocation(database, recordID)).known)
          """)
    }
    let list = context.link(
      .records, context.items(database, zoneID) + [("type", record.recordType)])
    let type = record.entityName ?? record.recordType
    return context.page(
      name,
      trail: context.trail(database, zoneID) + ["<a href=\"\(list)\"><bdi>\(type)</bdi></a>"],
      actions: changes(record, database), live: try content(record, database))
  }

  // MARK: Finding by name

  private func found(_ name: String) throws -> HTML {
    let records = try context.source.records(named: name)
    let items = records.prefix(Self.maxRecords).map { database, record -> HTML in
      """
      <li>\(context.anchor(record.recordID, in: database)): <bdi>\(record.entityName ?? record.recordType)</bdi> \
      in \(ConsoleRequest.words(record.recordID.zoneID)), \(database.rawValue) database</li>
      """
    }
    let list: HTML =
      items.isEmpty ? ConsoleRequest.empty("No record has this name.") : "<ul>\n\(items)\n</ul>"
    return context.page("Records named \(name)", live: list)
  }

  // MARK: One record

  private func content(_ record: ResultRecord, _ database: DatabaseScope) throws -> HTML {
    let relations = RelationsView(context: context, record: record, database: database)
    let relationships = try relations.relationships()
    let object = MirroredObject(
      record, relationships.found[RecordLocation(database, record.recordID)] ?? .init())
    let shown = object?.record ?? record
    let fields = shown.fields.map { field -> HTML in
      let badge: HTML? = field.isEncrypted ? " <span class=\"badge\">encrypted</span>" : nil
      return """
        <dt><span><bdi>\(field.name)</bdi>\(badge)</span> <span class="quiet">\
        \(object?.destination(of: field) ?? field.value.typeName)</span></dt>
        <dd>\(FieldView(context: context, record: shown, database: database).html(field))</dd>
        """
    }
    let line = try context.disclosure.line(record, database)
    let hasSecrets = record.fields.contains(where: \.isEncrypted)
    let facts: [HTML?] = [
      "\(Numbers.count(fields.count, "field"))",
      record.modificationDate.map { "modified \(ConsoleRequest.words($0))" },
      hasSecrets ? context.disclosureLink : nil,
    ]
    let limit = context.showsAll ? nil : 5 * FieldView.maxText
    let fieldList: HTML =
      fields.isEmpty ? "<p class=\"quiet\">No fields.</p>" : "<dl>\n\(fields)\n</dl>"
    return """
      <p class="quiet">\(HTML(markup: facts.compactMap { $0?.text }.joined(separator: " · ")))</p>
      <h2>Fields</h2>
      \(fieldList)
      \(relationships.isWhole ? nil : "<p>Many-to-many relationships: \(relations.notSearched)</p>")
      \(ShareView(context: context, database: database).participants(of: record))
      <h2>System fields</h2>
      \(systemFields(record, database))
      \(try relations.html())
      \(RecordHistoryView(context: context, location: RecordLocation(database, record.recordID)).section)
      <details id="json"><summary>JSON</summary>
      <p><button type="button" class="plain" data-copy="json-text" hidden>Copy JSON</button></p>
      <pre class="wrapped" id="json-text" tabindex="0">\(HTML(json: line, limit: limit))</pre></details>
      """
  }

  /// Links to the forms that change the record.
  private func changes(_ record: ResultRecord, _ database: DatabaseScope) -> HTML? {
    guard context.canEdit else { return nil }
    let items =
      context.items(database, record.recordID.zoneID) + [("name", record.recordID.recordName)]
    var links: [(String, String)] = [
      (record.isShare ? "Participants" : "Share", context.link(.sharing, items))
    ]
    if !record.isShare {
      links =
        [("Duplicate", context.link(.edit, items + [("copy", "1")]))] + links
        + [("Delete", context.link(.delete, items))]
    }
    let edit: HTML? =
      record.isShare ? nil : "<a class=\"button\" href=\"\(context.link(.edit, items))\">Edit</a>"
    return """
      \(links.map { "<a class=\"button plain\" href=\"\($1)\">\($0)</a>" as HTML })
      \(edit)
      """
  }

  private func systemFields(_ record: ResultRecord, _ database: DatabaseScope) -> HTML {
    let system = record.systemFields
    var facts: [(String, HTML)] = []
    if record.entityName != nil { facts.append(("recordType", "\(record.recordType)")) }
    if let tag = record.recordChangeTag { facts.append(("recordChangeTag", "\(tag)")) }
    for (name, stamp) in [("created", system.created), ("modified", system.modified)] {
      guard let stamp else { continue }
      let user: HTML? = stamp.userRecordName.map { " by <bdi>\($0)</bdi>" }
      let device: HTML? = stamp.deviceID.map { ", device <bdi>\($0)</bdi>" }
      facts.append((name, "\(ConsoleRequest.words(stamp.date))\(user)\(device)"))
    }
    for (name, reference) in [("parent", record.parent), ("share", record.share)] {
      guard let reference else { continue }
      facts.append((name, context.anchor(reference.recordID, in: database)))
    }
    for member in system.otherMembers where !Self.shareMembers.contains(member.name) {
      facts.append(
        (member.name, "\(context.disclosure.shown(member.value.text, named: member.name))"))
    }
    return "<dl>\n\(facts.map { "<dt>\($0)</dt><dd>\($1)</dd>" as HTML })\n</dl>"
  }

  /// The members of shares, which are shown as participants.
  private static let shareMembers: Set<String> = [
    "participants", "owner", "currentUserParticipant", "publicPermission", "shortGUID",
  ]
}

/// The value of a field: references lead to their records, and images are seen.
struct FieldView {
  let context: ConsoleRequest
  let record: ResultRecord
  let database: DatabaseScope

  /// The number of references and assets of a list that are shown.
  private static let maxElements = 100
  /// The number of characters of a text that are shown, of a single one and in a list.
  static let maxText = 20_000
  private static let maxElementText = 2_000

  func html(_ field: Field) -> HTML {
    if field.isEncrypted, !context.showsEncrypted { return ConsoleRequest.covered }
    switch field.value {
    case .reference(let reference): return self.reference(reference)
    case .referenceList(let references):
      return list(references.prefix(Self.maxElements).map(reference), of: references.count)
    case .asset(let asset): return self.asset(asset, of: field)
    case .assetList(let assets):
      return list(
        assets.prefix(Self.maxElements).map { self.asset($0, of: field) }, of: assets.count)
    case .string(let text): return self.text(text, Self.maxText)
    case .stringList(let texts):
      return list(
        texts.prefix(Self.maxElements).map { text($0, Self.maxElementText) }, of: texts.count)
    default:
      let lines = context.fieldText.lines(field)
      return lines.count == 1
        ? text(lines[0], Self.maxText)
        : list(lines.map { "<bdi>\($0)</bdi>" }, of: lines.count)
    }
  }

  /// A text with its line breaks; of a long one, its beginning, unless the address asks for all.
  private func text(_ text: String, _ limit: Int) -> HTML {
    let limit = context.showsAll ? .max : limit
    if text.isEmpty { return "<span class=\"quiet\">empty text</span>" }
    guard text.utf8.count > limit, text.count > limit else { return "<bdi>\(lines: text)</bdi>" }
    let rest = Numbers.count(text.count - limit, "more character")
    return """
      <bdi>\(lines: String(text.prefix(limit)))</bdi> \
      <span class="quiet">… \(rest)</span> \(context.allLink)
      """
  }

  private func list(_ items: [HTML], of count: Int) -> HTML {
    guard !items.isEmpty else { return "<span class=\"quiet\">empty list</span>" }
    let rest = count - items.count
    let more: HTML? = rest > 0 ? "<li class=\"quiet\">\(Numbers.grouped(rest)) more</li>" : nil
    return "<ul>\n\(items.map { "<li>\($0)</li>" as HTML })\n\(more)</ul>"
  }

  private func reference(_ reference: Reference) -> HTML {
    let action: HTML? =
      reference.action == .none
      ? nil : " <span class=\"badge\">\(reference.action.rawValue)</span>"
    let zone: HTML? =
      reference.recordID.zoneID == record.recordID.zoneID
      ? nil : " in \(ConsoleRequest.words(reference.recordID.zoneID))"
    return """
      \(context.anchor(reference.recordID, in: database)) \(target(of: reference.recordID))\(zone)\(action)
      """
  }

  /// The title of the record that a reference leads to, or that there is none.
  private func target(of recordID: RecordID) -> HTML? {
    guard
      let found = try? context.store.snapshot({ try $0.readableRecord(recordID, in: database) }),
      case .success(let stored) = found
    else { return nil }
    if let title = stored.flatMap({ context.title(of: $0.record) }) {
      return "<span class=\"quiet\"><bdi>\(title)</bdi></span>"
    }
    // The server makes the records of users.
    let isUser = recordID.zoneID == .default && recordID.recordName.hasPrefix("_")
    return stored == nil && !isUser ? "<span class=\"removed\">not there</span>" : nil
  }

  private func asset(_ asset: Asset, of field: Field) -> HTML {
    let size: HTML = "\(asset.size.map { Numbers.size($0) } ?? "asset")"
    guard let sha256 = asset.sha256 else {
      return "\(size) <span class=\"quiet\">(the content is not there)</span>"
    }
    let path = context.link(.asset, [("sha256", sha256)])
    let image: HTML? =
      AssetFileView(context: context).imageType(sha256) == nil
      ? nil : "<img src=\"\(path)\" alt=\"\(field.name)\" loading=\"lazy\">"
    return """
      \(size), <a href="\(path)" download="\(field.name)">download</a>\(image ?? "<br>")
      <code>\(sha256)</code>
      """
  }
}

extension HTML.Interpolation {
  /// Appends text with its line breaks.
  fileprivate mutating func appendInterpolation(lines text: String) {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() {
      if index > 0 { appendLiteral("<br>") }
      appendInterpolation(String(line))
    }
  }
}

/// The content of an asset. Images are seen, everything else is downloaded: what a record holds never
/// runs as a part of the page.
struct AssetFileView {
  let context: ConsoleRequest

  /// The number of bytes that tell an image from other files.
  private static let headSize = 16

  func response() throws -> WebResponse {
    guard let sha256 = context.value("sha256") else {
      throw WebError(.badRequest, "the address names no asset")
    }
    var content = Data()
    do {
      guard try isShown(sha256) else { throw ContainerStoreError.assetNotFound(sha256: sha256) }
      try stored.forEachChunk(ofAsset: sha256) { content.append(contentsOf: $0) }
    } catch {
      throw WebError(.notFound, "the content of the asset is not there")
    }
    var response = WebResponse(
      status: 200, headers: ["Content-Type": "application/octet-stream"], body: content)
    if let type = Self.imageType(of: Array(content.prefix(Self.headSize))) {
      response.headers["Content-Type"] = type
    } else {
      response.headers["Content-Disposition"] = "attachment"
    }
    return response
  }

  /// Returns the type of an asset that is an image; nil for another one.
  func imageType(_ sha256: String) -> String? {
    stored.firstBytes(Self.headSize, ofAsset: sha256).flatMap(Self.imageType)
  }

  /// The source with the bytes of assets.
  private var stored: ArchiveSource { .container(context.served.container.store) }

  /// Whether a record that views show has the asset.
  private func isShown(_ sha256: String) throws -> Bool {
    guard context.isPart else { return true }
    return try context.store.snapshot { try $0.refersToAsset(sha256: sha256) }
  }

  /// SVG is not among them: it can have scripts.
  private static func imageType(of bytes: [UInt8]) -> String? {
    func starts(_ prefix: [UInt8], at place: Int = 0) -> Bool {
      bytes.dropFirst(place).starts(with: prefix)
    }
    if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if starts([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if starts(Array("GIF8".utf8)) { return "image/gif" }
    if starts(Array("RIFF".utf8)), starts(Array("WEBP".utf8), at: 8) { return "image/webp" }
    if starts(Array("ftyp".utf8), at: 4) {
      if starts(Array("avif".utf8), at: 8) { return "image/avif" }
      if starts(Array("heic".utf8), at: 8) { return "image/heic" }
    }
    return nil
  }
}
