import CloudInterface
import Foundation
import RecordModel

/// A change of a record by a request.
struct RecordEvent: Sendable {
  var change: CloudSubscription.ChangeType
  /// The record as it is now, or as it was before it was deleted.
  var record: ResultRecord
  /// The zone of the record in the container.
  var zone: ZoneLocation
  /// The subscribers who saw a deleted record; nil for one that exists.
  var readers: Set<DatabaseKey>?

  /// Whether the record is a new one below another one.
  var isChildCreation: Bool { change == .create && record.parent != nil }
}

/// A notification to the devices.
struct PendingNotification: Sendable {
  var notification: CloudNotification
  /// The record name of another account whose devices get it; nil for the signed-in user.
  var account: String?
  /// Whether it increases the badge of each device.
  var increasesBadge: Bool
  /// Whether it is about a new record below another one.
  var isChildCreation: Bool
}

/// The content of a push for a subscription.
struct NotificationContent {
  let subscription: CloudSubscription
  let containerIdentifier: String?
  /// The database of the subscription.
  let database: DatabaseKey

  /// Returns the notification of a query subscription about a record.
  func notification(about event: RecordEvent) -> PendingNotification {
    let wanted = subscription.notificationInfo?.desiredKeys ?? []
    var fields: [String: RecordValue] = [:]
    for field in event.record.fields where wanted.contains(field.name) {
      // Encrypted values are not part of a notification, which the server makes.
      if !field.isEncrypted, field.value.fitsNotification { fields[field.name] = field.value }
    }
    return notification(
      .query(event.record.recordID, reason: event.change, recordFields: fields), [event])
  }

  /// Returns the notification about what has changed.
  func notification(
    _ kind: CloudNotification.Kind, _ events: [RecordEvent]
  ) -> PendingNotification {
    var notification = CloudNotification(
      kind, subscriptionID: subscription.subscriptionID, databaseScope: database.scope,
      containerIdentifier: containerIdentifier)
    let info = subscription.notificationInfo
    if let info {
      // Only a query notification is about one record.
      var record: ResultRecord?
      if case .query = kind { record = events.first?.record }
      notification.alert = .init(
        info.alertBody, info.alertLocalizationKey, info.alertLocalizationArgs, record)
      notification.title = .init(
        info.title, info.titleLocalizationKey, info.titleLocalizationArgs, record)
      notification.subtitle = .init(
        info.subtitle, info.subtitleLocalizationKey, info.subtitleLocalizationArgs, record)
      notification.soundName = info.soundName
      notification.category = info.category
      notification.collapseID = info.collapseIDKey
      notification.launchesApp = info.shouldSendContentAvailable
    }
    return PendingNotification(
      notification: notification, account: database.account,
      increasesBadge: info?.shouldBadge ?? false,
      isChildCreation: events.contains(where: \.isChildCreation))
  }
}

extension CloudNotification.Text {
  /// Fills the placeholders of a text with the fields of a record; nil if there is no text.
  fileprivate init?(
    _ text: String?, _ key: String?, _ args: [String], _ record: ResultRecord?
  ) {
    guard text != nil || key != nil else { return nil }
    let values = args.map { name in
      record?.fields.first { $0.name.sameScalars(as: name) && !$0.isEncrypted }?
        .value.alertText ?? ""
    }
    self.init(text, localizationKey: key, localizationArgs: values)
  }
}

extension RecordValue {
  /// Whether a notification can have the value. Source: Apple's documentation of
  /// `CKSubscription.NotificationInfo.desiredKeys`.
  fileprivate var fitsNotification: Bool {
    switch self {
    case .string, .int64, .double, .timestamp, .location, .reference: true
    default: false
    }
  }

  /// The value as text in an alert; empty for values that have none.
  fileprivate var alertText: String {
    switch self {
    case .string(let text): text
    case .int64(let number): String(number)
    case .double(let number): number.description
    case .timestamp(let date): date.ISO8601Format()
    default: ""
    }
  }
}
