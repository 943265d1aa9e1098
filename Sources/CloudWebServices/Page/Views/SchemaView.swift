import RecordArchive
import RecordCoding
import RecordModel
import RecordPages
import RecordSchema
import RecordText

/// The schema of a container: a diagram, and the text.
struct SchemaView {
  let context: ConsoleRequest

  /// Above so many records, what refers to what is guessed by names instead of counted.
  private static let maxRecords = 20_000

  func html() throws -> HTML {
    guard let text = try context.store.info().schema else {
      return context.page(
        "Schema",
        live: """
          <p>The container has no schema: every field is allowed. \
          <code>recordpack schema infer</code> makes one from the records.</p>
          """)
    }
    return context.page(
      "Schema", live: nil,
      foot: """
        \(try diagram(of: SchemaDocument(parsing: text).schema))
        <h2>Text</h2>
        <pre>\(HTML(text: text, keepsLines: true))</pre>
        """)
  }

  /// The diagram; the box of a type leads to its records.
  private func diagram(of schema: CloudSchema) throws -> HTML {
    let sections = try context.source.sections()
    var links: [ExactString: String] = [:]
    for section in sections where links[ExactString(section.recordType)] == nil {
      links[ExactString(section.recordType)] = context.link(
        .records,
        context.items(section.database, section.zoneID) + [("type", section.recordType)])
    }
    let count = sections.reduce(0) { $0 + $1.records }
    let records =
      count <= Self.maxRecords ? try SchemaReferences(scanning: context.source) : nil
    let references = SchemaReferences(of: schema, records: records)
    return SchemaDiagram(schema, references: references) { links[ExactString($0)] }.figure
  }
}

/// The shares of a container and who takes part in them.
struct SharesView {
  let context: ConsoleRequest

  private static let maxShares = 200

  func html() throws -> HTML {
    var shares: [HTML] = []
    var count = 0
    try context.source.forEachRecord(RecordFilter(recordTypes: [Share.recordType])) {
      record, database in
      count += 1
      guard shares.count < Self.maxShares else { return }
      shares.append(section(record, database))
    }
    let more: HTML? =
      count > shares.count ? "<p>\(Numbers.count(count - shares.count, "more share")).</p>" : nil
    let content: HTML =
      count == 0 ? "<p>The container has no shares.</p>" : "\(shares)\(more)"
    return context.page("Shares", live: content)
  }

  private func section(_ record: ResultRecord, _ database: DatabaseScope) -> HTML {
    var title = record.recordID.recordName
    if let field = record.field(named: Share.titleKey),
      !field.isEncrypted || context.showsEncrypted,
      case .string(let text) = field.value, !text.isEmpty
    {
      title = text
    }
    let kind: HTML =
      record.recordID.recordName == Share.zoneWideRecordName ? "a whole zone" : "a record"
    return """
      <section>
      <h2><a href="\(context.link(to: record.recordID, in: database))"><bdi>\(title)</bdi></a></h2>
      <p>\(kind) in \(ConsoleRequest.words(record.recordID.zoneID)), \(database.rawValue) database</p>
      \(ShareView(context: context, database: database).participants(of: record))
      </section>
      """
  }
}

/// The participants of one share.
struct ShareView {
  let context: ConsoleRequest
  let database: DatabaseScope

  func participants(of record: ResultRecord) -> HTML {
    guard record.isShare else { return .empty }
    guard let share = record.shareInfo else {
      return "<p class=\"problem\">The participants cannot be read.</p>"
    }
    let rows = share.participants.map { participant -> HTML in
      let identity = participant.userIdentity
      let name = [identity.nameComponents?.givenName, identity.nameComponents?.familyName]
        .compactMap { $0 }.joined(separator: " ")
      let address = identity.lookupInfo?.emailAddress ?? identity.lookupInfo?.phoneNumber ?? ""
      return """
        <tr><td><bdi>\(identity.userRecordName ?? "")</bdi></td><td><bdi>\(name)</bdi></td>\
        <td><bdi>\(address)</bdi></td><td>\(participant.role.rawValue)</td>\
        <td>\(participant.permission.rawValue)</td><td>\(participant.acceptanceStatus.rawValue)</td></tr>
        """
    }
    let link: HTML? = (share.link ?? share.shortGUID).map { "; link <code>\($0)</code>" }
    let head: [HTML] = ["Record name", "Name", "Address", "Role", "Permission", "Status"].map {
      "<th>\($0)</th>"
    }
    return """
      <p>Permission of everyone who has the link: \(share.publicPermission.rawValue)\(link)</p>
      \(HTML.table("Participants", head: head, rows: rows))
      """
  }
}
