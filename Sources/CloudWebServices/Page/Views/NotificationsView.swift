import CloudInterface
import RecordPages

/// What subscriptions would have sent to the devices of users.
struct NotificationsView {
  let context: PageContext

  func html() throws -> HTML {
    let sent = context.served.container.sentNotifications
    let items = try sent.reversed().map { sent -> HTML in
      let notification = sent.notification
      let place = try WebPlace(
        context.served.identifier ?? "iCloud.app",
        environment: context.served.environment?.rawValue ?? "development")
      // The identifier is made when a device asks for the notification.
      let payload = try NotificationPayload.json(notification, place, id: "…")
      return """
        <details class="entry" id="n\(sent.number)"><summary>\
        <span class="quiet">\(sent.number)</span> \(notification.words), to \
        <bdi>\(sent.account ?? "the signed-in user")</bdi>, by the subscription \
        <bdi>\(notification.subscriptionID)</bdi></summary>
        <pre class="wrapped">\(HTML(json: payload))</pre></details>
        """
    }
    return context.page(
      "Notifications",
      live: items.isEmpty
        ? "<p>No subscription has had anything to say yet.</p>" : "\(items)")
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
