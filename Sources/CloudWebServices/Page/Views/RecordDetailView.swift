import RecordArchive
import RecordCoding
import RecordModel
import RecordPages
import RecordStore
import RecordText

/// One record with all its fields, or the records with one name where the address tells no zone.
struct RecordDetailView {
  let context: PageContext

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
        name,
        live: """
          <p>There is no such record in the zone \(PageContext.words(zoneID)) of the \
          \(database.rawValue) database. It may have been deleted, or never exported.</p>
          """)
    }
    return context.page(name, live: try content(record, database))
  }

  // MARK: Finding by name

  private func found(_ name: String) throws -> HTML {
    let records = try context.source.records(named: name)
    let items = records.prefix(Self.maxRecords).map { database, record -> HTML in
      """
      <li>\(context.anchor(record.recordID, in: database)): <bdi>\(record.recordType)</bdi> in \
      \(PageContext.words(record.recordID.zoneID)), \(database.rawValue) database</li>
      """
    }
    let list: HTML =
      items.isEmpty ? "<p>No record has this name.</p>" : "<ul>\n\(items)\n</ul>"
    return context.page(
      "Records named \(name)", head: NameSearch.form(context), live: list)
  }

  // MARK: One record

  private func content(_ record: ResultRecord, _ database: DatabaseScope) throws -> HTML {
    let list = context.link(
      .records, context.items(database, record.recordID.zoneID) + [("type", record.recordType)])
    let hasSecrets = record.fields.contains(where: \.isEncrypted)
    let disclosure: HTML? = hasSecrets ? " · \(context.disclosureLink)" : nil
    let fields = record.fields.map { field -> HTML in
      let badge: HTML? = field.isEncrypted ? " <span class=\"badge\">encrypted</span>" : nil
      return """
        <dt><bdi>\(field.name)</bdi>\(badge)<br><span class="quiet">\(field.value.typeName)</span></dt>
        <dd>\(FieldView(context: context, record: record, database: database).html(field))</dd>
        """
    }
    let line = try context.disclosure.line(record, database)
    let limit = context.showsAll ? nil : 5 * FieldView.maxText
    let fieldList: HTML =
      fields.isEmpty ? "<p class=\"quiet\">No fields.</p>" : "<dl>\n\(fields)\n</dl>"
    return """
      <p><a href="\(list)"><bdi>\(record.recordType)</bdi></a> in \
      \(PageContext.words(record.recordID.zoneID)), \(database.rawValue) database\(disclosure)</p>
      <h2>Fields</h2>
      \(fieldList)
      \(ShareView(context: context, database: database).participants(of: record))
      <h2>System fields</h2>
      \(systemFields(record, database))
      \(try children(of: record, database))
      <details id="json"><summary>JSON</summary>
      <pre class="wrapped">\(HTML(json: line, limit: limit))</pre></details>
      """
  }

  private func systemFields(_ record: ResultRecord, _ database: DatabaseScope) -> HTML {
    let system = record.systemFields
    var facts: [(String, HTML)] = []
    if let tag = record.recordChangeTag { facts.append(("recordChangeTag", "\(tag)")) }
    for (name, stamp) in [("created", system.created), ("modified", system.modified)] {
      guard let stamp else { continue }
      let user: HTML? = stamp.userRecordName.map { " by <bdi>\($0)</bdi>" }
      let device: HTML? = stamp.deviceID.map { ", device <bdi>\($0)</bdi>" }
      facts.append((name, "\(PageContext.words(stamp.date))\(user)\(device)"))
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

  /// The records whose parent this one is.
  private func children(of record: ResultRecord, _ database: DatabaseScope) throws -> HTML {
    guard let children = try children(of: record.recordID, database) else {
      let items = context.items.map { ($0.name, Optional($0.value)) }
      let link = context.link(.record, items + [(Self.childrenName, "shown")])
      return """
        <h2>Children</h2>
        <p>Not searched for among so many records. <a href="\(link)">Find the children</a></p>
        """
    }
    guard !children.isEmpty else { return .empty }
    let items = children.prefix(Self.maxRecords).map { child -> HTML in
      "<li>\(context.anchor(child, in: database))</li>"
    }
    let rest = children.count - items.count
    let more: HTML? = rest > 0 ? "<p>\(Numbers.count(rest, "more record")).</p>" : nil
    return "<h2>Children</h2>\n<ul>\n\(items)\n</ul>\(more)"
  }

  /// Above so many records, children are searched for without an index, or an index is made for
  /// them, only when somebody asks.
  private static let maxSearched = 20_000
  private static let childrenName = "children"

  /// Returns the children of a record; nil if they are not known.
  private func children(of recordID: RecordID, _ database: DatabaseScope) throws -> [RecordID]? {
    let store = context.store
    if try !store.snapshot({ try $0.hasIndex(.parent) }) {
      // An index is one of all zones.
      let filter =
        store.isReadOnly
        ? RecordFilter(databases: [database], zoneIDs: [recordID.zoneID]) : .all
      let count = try context.source.sections(filter).reduce(0) { $0 + $1.records }
      guard count <= Self.maxSearched || context.value(Self.childrenName) == "shown" else {
        return nil
      }
      if store.isReadOnly { return try childrenWithoutIndex(of: recordID, filter) }
      try store.makeIndex(.parent)
    }
    return try store.snapshot {
      try $0.records(referringTo: recordID, as: .parent, in: database)
    }
  }

  private func childrenWithoutIndex(
    of recordID: RecordID, _ filter: RecordFilter
  ) throws -> [RecordID] {
    var children: [RecordID] = []
    try context.source.forEachRecord(filter) { record, _ in
      if record.parent?.recordID == recordID { children.append(record.recordID) }
    }
    return children
  }
}
