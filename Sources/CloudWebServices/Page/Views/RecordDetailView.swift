import Foundation
import RecordArchive
import RecordModel
import RecordPages
import RecordStore
import RecordText

/// One record with all its fields.
struct RecordDetailView {
  let context: ConsoleRequest

  func html() throws -> HTML {
    let location = try context.location()
    let (name, zone) = (location.recordID.recordName, location.zone)
    guard let record = try context.record(at: location) else {
      return context.page(
        name, trail: context.trail(zone),
        live: """
          <p class="empty">There is no such record in the zone \(ConsoleRequest.words(zone.zoneID)) of \
          the \(zone.database.rawValue) database. It may have been deleted, or never exported.</p>
          \(RecordHistoryView(context: context, location: location).known)
          """)
    }
    let list = context.link(.records, context.items(zone, type: record.recordType))
    let type = record.entityName ?? record.recordType
    return context.page(
      name, trail: context.trail(zone) + ["<a href=\"\(list)\"><bdi>\(type)</bdi></a>"],
      actions: changes(record, zone), live: try content(record, zone.database))
  }

  private func content(_ record: ResultRecord, _ database: DatabaseScope) throws -> HTML {
    let relations = RelationsView(context: context, record: record, database: database)
    let relationships = try relations.relationships()
    let object = MirroredObject(
      record, relationships.found[RecordLocation(database, record.recordID)] ?? .init())
    let shown = object?.record ?? record
    let view = FieldView(context: context, record: shown, database: database)
    let fields = shown.fields.map { field -> HTML in
      """
      <dt><span><bdi>\(field.name)</bdi>\(when: field.isEncrypted, " \(HTML.encrypted)")</span> \
      <span class="quiet">\(object?.destination(of: field) ?? field.value.typeName)</span></dt>
      <dd>\(view.html(field))</dd>
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
      <p class="quiet">\(HTML.line(facts))</p>
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
  private func changes(_ record: ResultRecord, _ zone: ZoneLocation) -> HTML? {
    guard context.canEdit else { return nil }
    let items = context.items(zone) + [("name", record.recordID.recordName)]
    func link(_ words: HTML, _ view: PageView, _ style: HTML = "button plain") -> HTML {
      "<a class=\"\(style)\" href=\"\(context.link(view, items))\">\(words)</a>"
    }
    if record.isShare { return link("Participants", .sharing) }
    return """
      <a class="button plain" href="\(context.link(.edit, items + [("copy", "1")]))">Duplicate</a>
      \(link("Share", .sharing))
      \(link("Delete", .delete))
      \(link("Edit", .edit, "button"))
      """
  }

  private func systemFields(_ record: ResultRecord, _ database: DatabaseScope) -> HTML {
    let system = record.systemFields
    var facts = HTMLFacts()
    facts.add("recordType", record.entityName == nil ? nil : record.recordType)
    facts.add("recordChangeTag", record.recordChangeTag)
    for (name, stamp) in [("created", system.created), ("modified", system.modified)] {
      guard let stamp else { continue }
      let user: HTML? = stamp.userRecordName.map { " by <bdi>\($0)</bdi>" }
      let device: HTML? = stamp.deviceID.map { ", device <bdi>\($0)</bdi>" }
      facts.add("\(name)", "\(ConsoleRequest.words(stamp.date))\(user)\(device)" as HTML)
    }
    for (name, reference) in [("parent", record.parent), ("share", record.share)] {
      facts.add("\(name)", reference.map { context.anchor($0.recordID, in: database) })
    }
    for member in system.otherMembers where !Self.shareMembers.contains(member.name) {
      facts.add("\(member.name)", context.disclosure.shown(member.value.text, named: member.name))
    }
    return facts.html
  }

  /// The members of shares, which are shown as participants.
  private static let shareMembers: Set<String> = [
    "participants", "owner", "currentUserParticipant", "publicPermission", "shortGUID",
  ]
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
    guard try isShown(sha256),
      (try? stored.forEachChunk(ofAsset: sha256) { content.append(contentsOf: $0) }) != nil
    else { throw WebError(.notFound, "the content of the asset is not there") }
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
    if starts(Array("BM".utf8)), starts([0, 0, 0, 0], at: 6) { return "image/bmp" }
    if starts(Array("RIFF".utf8)), starts(Array("WEBP".utf8), at: 8) { return "image/webp" }
    if starts(Array("ftyp".utf8), at: 4) {
      if starts(Array("avif".utf8), at: 8) { return "image/avif" }
      if starts(Array("heic".utf8), at: 8) { return "image/heic" }
    }
    return nil
  }
}
