import RecordModel
import RecordPages
import RecordStore
import RecordText

/// What was changed last, in each database.
struct ChangesView {
  let context: PageContext

  /// The number of changes of a database that are shown.
  private static let maxChanges = 100

  private struct Change {
    let number: Int64
    let row: HTML
  }

  func html() throws -> HTML {
    let sections = try context.store.changes { snapshot in
      try DatabaseScope.allCases.compactMap { try section($0, snapshot) }
    }
    let content: HTML = sections.isEmpty ? "<p>Nothing was changed yet.</p>" : "\(sections)"
    return context.page(
      "Changes",
      head: """
        <p class="quiet">The newest come first; a record has its last change only.</p>
        """, live: content)
  }

  private func section(
    _ database: DatabaseScope, _ snapshot: ContainerSnapshot
  ) throws -> HTML? {
    var changes: [Change] = []
    // The tags of an import are its numbers: there may be gaps, and many records with one number.
    for zone in try snapshot.histories(in: database, after: .min).reversed() {
      if changes.count >= Self.maxChanges, changes[Self.maxChanges - 1].number > zone.lastChange {
        break
      }
      changes += try snapshot.newestChanges(of: zone, in: database, limit: Self.maxChanges).map {
        Change(number: $0.position.change, row: row($0.change, zone.zoneID, database))
      }
      changes.sort { $0.number > $1.number }
    }
    for (tombstone, number) in try snapshot.deletedZones(in: database, after: .min).suffix(
      Self.maxChanges)
    {
      let row: HTML = """
        <td class="removed">zone \(tombstone.reason.rawValue)</td>\
        <td>\(PageContext.words(tombstone.zoneID))</td><td></td><td></td>
        """
      changes.append(Change(number: number, row: row))
    }
    guard !changes.isEmpty else { return nil }
    let newest = changes.sorted { $0.number > $1.number }.prefix(Self.maxChanges)
    let rows = newest.map { "<tr><td class=\"number\">\($0.number)</td>\($0.row)</tr>" as HTML }
    let head: [HTML] =
      ["<th class=\"number\">Number</th>"]
      + ["Change", "Zone", "Record", "Time"].map { "<th>\($0)</th>" }
    return """
      <h2>\(database.rawValue.capitalized) database</h2>
      \(HTML.table("Changes of the \(database.rawValue) database", head: head, rows: rows))
      """
  }

  private func row(
    _ change: StoredChange, _ zoneID: ZoneID, _ database: DatabaseScope
  ) -> HTML {
    switch change {
    case .saved(let record):
      let isNew = record.creationDate == record.modificationDate
      return """
        <td class="\(isNew ? "added" : "changed")">\(isNew ? "created" : "changed")</td>\
        <td>\(PageContext.words(zoneID))</td>\
        <td>\(context.anchor(record.recordID, in: database)) \
        <span class="badge"><bdi>\(record.recordType)</bdi></span></td>\
        <td>\(PageContext.words(record.modificationDate))</td>
        """
    case .deleted(let tombstone):
      return """
        <td class="removed">deleted</td><td>\(PageContext.words(zoneID))</td>\
        <td><bdi>\(tombstone.recordID.recordName)</bdi></td><td></td>
        """
    }
  }
}
