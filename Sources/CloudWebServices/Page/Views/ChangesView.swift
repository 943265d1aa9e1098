import RecordModel
import RecordPages
import RecordStore
import RecordText

/// What was changed last, in each database.
struct ChangesView {
  let context: PageContext

  /// The number of changes of a database that are shown.
  private static let maxChanges = 100
  /// The number of last changes of a zone that are read to find them: records of an import have the
  /// same number.
  private static let maxRead = 2000

  private struct Change {
    let number: Int64
    let row: HTML
  }

  func html() throws -> HTML {
    let sections = try context.store.snapshot { snapshot in
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
    // Each save has a number of its own. Zones whose last change is older have nothing to show.
    let last = try snapshot.lastChange(in: database)
    let start = max(0, last - Int64(Self.maxChanges))
    for zone in try snapshot.histories(in: database, after: start) {
      changes += try self.changes(of: zone, after: start, database, snapshot)
    }
    for (tombstone, number) in try snapshot.deletedZones(in: database, after: start) {
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

  private func changes(
    of zone: ZoneHistory, after start: Int64, _ database: DatabaseScope,
    _ snapshot: ContainerSnapshot
  ) throws -> [Change] {
    var changes: [Change] = []
    var count = 0
    try snapshot.forEachChange(of: zone, in: database, after: ChangePosition(change: start)) {
      change, position in
      count += 1
      changes.append(Change(number: position.change, row: row(change, zone.zoneID, database)))
      // Only the newest are shown.
      if changes.count > 2 * Self.maxChanges { changes.removeFirst(Self.maxChanges) }
      return count < Self.maxRead
    }
    return changes
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
