import CloudInterface
import RecordPages

/// What subscriptions would have sent to the devices of users.
struct NotificationsView {
  let context: PageContext

  func html() throws -> HTML {
    let sent = context.served.container.sentNotifications
    let rows = try sent.reversed().map { sent -> HTML in
      let notification = sent.notification
      let place = try WebPlace(
        context.served.identifier ?? "iCloud.app",
        environment: context.served.environment?.rawValue ?? "development")
      // The identifier is made when a device asks for the notification.
      let payload = try NotificationPayload.json(notification, place, id: "…")
      return """
        <tr><td class="number">\(sent.number)</td>\
        <td><bdi>\(sent.account ?? "the signed-in user")</bdi></td>\
        <td><bdi>\(notification.subscriptionID)</bdi></td><td>\(notification.words)</td>\
        <td><details id="n\(sent.number)"><summary>Payload</summary>\
        <pre class="wrapped">\(HTML(json: payload))</pre></details></td></tr>
        """
    }
    let head: [HTML] =
      ["<th class=\"number\">Number</th>"]
      + ["User", "Subscription", "About", "Push"].map { "<th>\($0)</th>" }
    let content: HTML =
      rows.isEmpty
      ? "<p>No subscription has had anything to say yet.</p>"
      : HTML.table("Notifications", head: head, rows: rows)
    return context.page("Notifications", live: content)
  }
}

extension CloudNotification {
  /// What the notification is about, in words.
  fileprivate var words: HTML {
    switch kind {
    case .query(let recordID, let reason, _):
      "\(reason.rawValue) of <bdi>\(recordID.recordName)</bdi> in \(PageContext.words(recordID.zoneID))"
    case .recordZone(let zoneID): "changes in \(PageContext.words(zoneID))"
    case .database: "changes of the \(databaseScope.rawValue) database"
    }
  }
}
