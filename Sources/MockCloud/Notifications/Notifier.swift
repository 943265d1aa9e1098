import CloudInterface
import Foundation
import RecordModel
import RecordStore

/// Makes the notifications about what one request has changed.
///
/// A request leads to one notification for each database or zone subscription, and to one for each
/// record and query subscription.
final class Notifier {
  private let scope: DatabaseScope
  private let containerIdentifier: String?
  private let transaction: ContainerTransaction
  /// The subscriptions before the request.
  private let subscriptions: [CloudSubscription]
  /// What the request does to records, in its order.
  private var events: [RecordEvent] = []
  /// Whether the request creates or deletes zones.
  private var changesZones = false

  init(
    in scope: DatabaseScope, of containerIdentifier: String?, _ transaction: ContainerTransaction
  ) throws {
    self.scope = scope
    self.containerIdentifier = containerIdentifier
    self.transaction = transaction
    subscriptions = try transaction.subscriptions(in: scope)
  }

  /// Notes what happens to a record.
  ///
  /// - Parameter record: the record as it is now; the deleted one, while it still exists.
  func note(
    _ change: CloudSubscription.ChangeType, _ record: @autoclosure () throws -> ResultRecord?
  ) rethrows {
    guard !subscriptions.isEmpty, let record = try record() else { return }
    events.append(RecordEvent(change: change, record: record))
  }

  /// Notes that a zone is created or deleted.
  func noteZone() { changesZones = true }

  /// Returns the notifications, and deletes the subscriptions that end with their first one.
  func finish() throws -> [PendingNotification] {
    guard changesZones || !events.isEmpty else { return [] }
    var notifications: [PendingNotification] = []
    for subscription in subscriptions {
      switch subscription.kind {
      case .query(let query, let zoneID, let firesOn, let firesOnce):
        let match = QueryMatch(query)
        let fitting = events.filter { event in
          firesOn.contains(event.change)
            && (zoneID == nil || event.record.recordID.zoneID == zoneID)
            && match.matches(event.record)
        }
        for event in firesOnce ? fitting.prefix(1) : fitting[...] {
          notifications.append(notification(of: subscription, about: event))
        }
        if firesOnce && !fitting.isEmpty {
          try transaction.deleteSubscription(subscription.subscriptionID, in: scope)
        }
      case .zone(let zoneID, let recordType):
        let fitting = events.filter {
          $0.record.recordID.zoneID == zoneID && $0.isOf(recordType)
        }
        if !fitting.isEmpty {
          notifications.append(notification(of: subscription, .recordZone(zoneID), fitting))
        }
      case .database(let recordType):
        let fitting = events.filter { $0.isOf(recordType) }
        if !fitting.isEmpty || changesZones && recordType == nil {
          notifications.append(notification(of: subscription, .database, fitting))
        }
      }
    }
    return notifications
  }

  private func notification(
    of subscription: CloudSubscription, about event: RecordEvent
  ) -> PendingNotification {
    let wanted = subscription.notificationInfo?.desiredKeys ?? []
    var fields: [String: RecordValue] = [:]
    for field in event.record.fields where wanted.contains(field.name) {
      // Encrypted values are not part of a notification, which the server makes.
      if !field.isEncrypted { fields[field.name] = field.value }
    }
    return notification(
      of: subscription,
      .query(event.record.recordID, reason: event.change, recordFields: fields), [event])
  }

  private func notification(
    of subscription: CloudSubscription, _ kind: CloudNotification.Kind, _ events: [RecordEvent]
  ) -> PendingNotification {
    var notification = CloudNotification(
      kind, subscriptionID: subscription.subscriptionID, databaseScope: scope,
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
      notification: notification, increasesBadge: info?.shouldBadge ?? false,
      isChildCreation: events.contains(where: \.isChildCreation))
  }
}

extension RecordEvent {
  fileprivate func isOf(_ recordType: String?) -> Bool {
    recordType.map { record.recordType.sameScalars(as: $0) } ?? true
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
