import CloudInterface
import Foundation
import RecordModel
import RecordPages
import RecordStore
import RecordText

/// The last changes of each database.
struct ChangesView {
  let context: ConsoleRequest

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
    let content: HTML =
      sections.isEmpty ? ConsoleRequest.empty("Nothing was changed yet.") : "\(sections)"
    return context.page(
      "Changes",
      head: """
        <p class="quiet">The newest come first. A record has its last change only; its page has the \
        others since the server started. \(context.disclosureLink)</p>
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
        Change(
          number: $0.position.change,
          row: row($0.change, $0.position.change, zone.zoneID, database))
      }
      changes.sort { $0.number > $1.number }
    }
    for (tombstone, number) in try snapshot.deletedZones(in: database, after: .min).suffix(
      Self.maxChanges)
    {
      let row: HTML = """
        <tr><td class="number">\(number)</td>\
        <td>\(kind("removed", "zone \(tombstone.reason.rawValue)"))</td>\
        <td></td><td></td><td>\(ConsoleRequest.words(tombstone.zoneID))</td><td></td></tr>
        """
      changes.append(Change(number: number, row: row))
    }
    guard !changes.isEmpty else { return nil }
    let newest = changes.sorted { $0.number > $1.number }.prefix(Self.maxChanges)
    let rows = newest.map(\.row)
    let head: [HTML] =
      ["<th class=\"number\">Number</th>"]
      + ["Change", "Record", "Type", "Zone", "Time"].map { "<th>\($0)</th>" }
    return """
      <h2>\(database.rawValue.capitalized) database</h2>
      \(HTML.table("Changes of the \(database.rawValue) database", head: head, rows: rows))
      """
  }

  private func row(
    _ change: StoredChange, _ number: Int64, _ zoneID: ZoneID, _ database: DatabaseScope
  ) -> HTML {
    let (style, name, type, record, date): (String, String, String?, HTML, Date?)
    let recordID: RecordID
    switch change {
    case .saved(let saved):
      let isNew = saved.creationDate == saved.modificationDate
      (style, name) = isNew ? ("added", "created") : ("changed", "changed")
      (type, date) = (saved.entityName ?? saved.recordType, saved.modificationDate)
      recordID = saved.recordID
      record = context.anchor(recordID, in: database)
    case .deleted(let tombstone):
      let last = context.handler.history.changes(
        of: RecordLocation(database, tombstone.recordID), in: context.name
      ).last
      (style, name, recordID) = ("removed", "deleted", tombstone.recordID)
      type = tombstone.recordType ?? last?.before?.recordType
      date = tombstone.deletionDate ?? last?.date
      record = "<bdi>\(recordID.recordName)</bdi>"
    case .unreadable(let damaged, _):
      (style, name, type, date) = ("removed", "damaged", nil, nil)
      recordID = damaged
      record = context.anchor(damaged, in: database)
    }
    let history = RecordHistoryView(
      context: context, location: RecordLocation(database, recordID)
    ).last
    // A record is in the list once, so that an opened row stays open when others come.
    let id = [zoneID.zoneName, zoneID.ownerName, recordID.recordName].map(\.percentEncoded)
    let key = "\(database.rawValue)/" + id.joined(separator: "/")
    let details: HTML? = history.map {
      """
      <tr class="more" id="more/\(key)"><td></td><td colspan="5"><details>\
      <summary>Before and after</summary>\($0)</details></td></tr>
      """
    }
    return """
      <tr id="\(key)"><td class="number">\(number)</td><td>\(kind(style, name))</td>\
      <td>\(record)</td><td><bdi>\(type ?? "")</bdi></td>\
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
    let sent = context.served.container.sentNotifications
    let items = try sent.reversed().map { sent -> HTML in
      let notification = sent.notification
      let address = try ContainerAddress(
        context.served.identifier ?? "iCloud.app",
        environment: context.served.environment?.rawValue ?? "development")
      // The identifier is made when a device asks for the notification.
      let payload = try notification.payload(of: address.identifier, id: "…")
      return """
        <details class="entry" id="n\(sent.number)"><summary><span>\
        <span class="quiet">\(sent.number)</span> \(notification.words), to \
        <bdi>\(sent.account ?? "the signed-in user")</bdi>, by the subscription \
        <bdi>\(notification.subscriptionID)</bdi></span></summary>
        <pre class="wrapped">\(HTML(json: payload))</pre></details>
        """
    }
    return context.page(
      "Notifications",
      live: items.isEmpty
        ? ConsoleRequest.empty("No subscription has sent a notification yet.") : "\(items)")
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
