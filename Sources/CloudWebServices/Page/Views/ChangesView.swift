import CloudInterface
import Foundation
import MockCloud
import RecordModel
import RecordPages
import RecordStore

/// The last changes of each database.
struct ChangesView {
  let context: ConsoleRequest

  /// The number of changes of a database that are shown.
  private static let maxChanges = 100

  func html() throws -> HTML {
    let sections = try context.store.changes(makesIndexes: false) { snapshot in
      try DatabaseScope.allCases.compactMap { try section($0, snapshot) }
    }
    let undone = context.removals.map { "<li>\(context.undo($0))</li>" as HTML }
    let content: HTML =
      sections.isEmpty ? ConsoleRequest.empty("Nothing was changed yet.") : "\(sections)"
    return context.page(
      "Changes",
      head: """
        <p class="quiet">The newest come first. A record has its last change only; its page has the \
        others since the server started. \(context.disclosureLink)</p>
        """,
      live: """
        \(when: !undone.isEmpty, "<h2>Deletions to undo</h2>\n<ul>\n\(undone)\n</ul>")
        \(content)
        """)
  }

  private func section(
    _ database: DatabaseScope, _ snapshot: ContainerSnapshot
  ) throws -> HTML? {
    var changes: [(number: Int64, row: () -> HTML)] = []
    for (zoneID, change, position) in try snapshot.newestChanges(
      in: database, limit: Self.maxChanges)
    {
      changes.append((position.change, { row(change, position.change, zoneID, database) }))
    }
    for (tombstone, number) in try snapshot.deletedZones(in: database, after: .min).suffix(
      Self.maxChanges)
    {
      let row: HTML = """
        <tr><td class="number">\(number)</td>\
        <td>\(kind("removed", "zone \(tombstone.reason.rawValue)"))</td>\
        <td></td><td></td><td>\(ConsoleRequest.words(tombstone.zoneID))</td><td></td></tr>
        """
      changes.append((number, { row }))
    }
    guard !changes.isEmpty else { return nil }
    let newest = changes.sorted { $0.number > $1.number }.prefix(Self.maxChanges)
    var table = HTMLTable(
      [.number("Number"), "Change", "Record", "Type", "Zone", "Time"],
      label: "Changes of the \(database.rawValue) database")
    for change in newest { table.add(row: change.row()) }
    return "<h2>\(database.rawValue.capitalized) database</h2>\n\(table.html)"
  }

  private func row(
    _ change: StoredChange, _ number: Int64, _ zoneID: ZoneID, _ database: DatabaseScope
  ) -> HTML {
    let recordID = change.recordID
    let history = RecordHistoryView(
      context: context, location: RecordLocation(database, recordID))
    let (style, name, type, date): (String, String, String?, Date?)
    switch change {
    case .saved(let saved):
      let isNew = saved.creationDate == saved.modificationDate
      (style, name) = isNew ? ("added", "created") : ("changed", "changed")
      (type, date) = (saved.entityName ?? saved.recordType, saved.modificationDate)
    case .deleted(let tombstone):
      let last = history.changes.last
      (style, name) = ("removed", "deleted")
      type = tombstone.recordType ?? last?.before?.recordType
      date = tombstone.deletionDate ?? last?.date
    case .unreadable: (style, name, type, date) = ("removed", "damaged", nil, nil)
    }
    // A record is in the list once, so that an opened row stays open when others come.
    let id = [zoneID.zoneName, zoneID.ownerName, recordID.recordName].map(\.percentEncoded)
    let key = "\(database.rawValue)/" + id.joined(separator: "/")
    let details: HTML? = history.last.map {
      """
      <tr class="more" id="more/\(key)"><td></td><td colspan="5"><details>\
      <summary>Before and after</summary>\($0)</details></td></tr>
      """
    }
    return """
      <tr id="\(key)"><td class="number">\(number)</td><td>\(kind(style, name))</td>\
      <td>\(context.anchor(recordID, in: database))</td><td><bdi>\(type ?? "")</bdi></td>\
      <td>\(ConsoleRequest.words(zoneID))</td><td>\(ConsoleRequest.words(date))</td></tr>\(details)
      """
  }

  /// The kind of a change, in its colour.
  private func kind(_ style: String, _ words: String) -> HTML {
    "<span class=\"badge filled \(style)\">\(words)</span>"
  }
}

/// The notifications that subscriptions would have sent to the devices of users.
struct NotificationsView {
  let context: ConsoleRequest

  func html() throws -> HTML {
    let sent = try context.served.container.sentNotifications.filter {
      context.shows(
        try $0.account ?? context.served.container.store.info().currentUserRecordName
          ?? ZoneID.currentUserOwnerName)
    }
    let items = try sent.reversed().map { sent -> HTML in
      let notification = sent.notification
      // The identifier is made when a device asks for the notification.
      let payload = try notification.payload(of: context.address.identifier, id: "…")
      return """
        <details class="entry" id="n\(sent.number)"><summary><span>\
        <span class="quiet">\(sent.number)</span> \(ConsoleRequest.time(sent.date)) \
        \(notification.words), to <bdi>\(sent.account ?? "the signed-in user")</bdi>, by the subscription \
        <bdi>\(notification.subscriptionID)</bdi></span></summary>
        \(link(sent).map { "<p><a href=\"\($0)\">Open what has changed</a></p>" as HTML })
        <pre class="wrapped">\(HTML(json: payload))</pre></details>
        """
    }
    return context.page(
      "Notifications",
      live: items.isEmpty
        ? ConsoleRequest.empty("No subscription has sent a notification yet.") : "\(items)")
  }
}

extension NotificationsView {
  /// The record or zone of a notification, where the views show it.
  private func link(_ sent: SentNotification) -> String? {
    let scope = sent.notification.databaseScope
    func place(_ zoneID: ZoneID, _ name: String) -> RecordLocation {
      let location = RecordLocation(scope, RecordID(recordName: name, zoneID: zoneID))
      guard context.actor.isWhole else { return location }
      return (try? context.served.container.place(of: location, seenBy: sent.account)) ?? location
    }
    switch sent.notification.kind {
    case .query(let recordID, _, _):
      let record = place(recordID.zoneID, recordID.recordName)
      return context.link(to: record.recordID, in: record.database)
    case .recordZone(let zoneID):
      let zone = place(zoneID, "").zone
      return context.link(.records, context.items(zone))
    case .database: return context.link(.changes)
    }
  }
}

extension StoredChange {
  var recordID: RecordID {
    switch self {
    case .saved(let record): record.recordID
    case .deleted(let tombstone): tombstone.recordID
    case .unreadable(let recordID, _): recordID
    }
  }
}

extension CloudNotification {
  /// The subject of the notification in words.
  fileprivate var words: HTML {
    switch kind {
    case .query(let recordID, let reason, _):
      "\(reason.rawValue) of <bdi>\(recordID.recordName)</bdi> in \(ConsoleRequest.words(recordID.zoneID))"
    case .recordZone(let zoneID): "changes in \(ConsoleRequest.words(zoneID))"
    case .database: "changes of the \(databaseScope.rawValue) database"
    }
  }
}
