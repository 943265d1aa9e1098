import RecordModel
import RecordStore

/// Makes the notifications about what one request has changed, for all users who see it.
///
/// A request leads to one notification for each database or zone subscription, and to one for each
/// record and query subscription.
final class Notifier {
  private let containerIdentifier: String?
  private let transaction: ContainerTransaction
  private let subscribers: [Subscriber]
  /// Returns the grants by which a user reads the public database; nil for none.
  private let grants: (AccountView) throws -> GrantRule?
  /// The changes of records by the request, in its order.
  private var events: [RecordEvent] = []
  /// The databases in which zones came or went.
  private var changedZones: Set<DatabaseKey> = []
  /// The zones in which a user begins or ceases to see records, as the user sees them.
  private var changedAccess: [DatabaseKey: Set<ZoneID>] = [:]

  /// The subscriptions of a user to a database before the request.
  private struct Subscriber {
    let view: AccountView
    let subscriptions: [CloudSubscription]

    var key: DatabaseKey { view.key }
  }

  init(
    in scope: DatabaseScope, of containerIdentifier: String?, _ transaction: ContainerTransaction,
    grants: @escaping (AccountView) throws -> GrantRule?
  ) throws {
    self.grants = grants
    self.containerIdentifier = containerIdentifier
    self.transaction = transaction
    let info = try transaction.info()
    let accounts = info.otherAccounts
    // Without other users, what is in one database is in no other.
    let scopes =
      accounts.isEmpty || scope == .public
      ? [scope] : DatabaseScope.allCases.filter { $0 != .public }
    var subscribers: [Subscriber] = []
    for scope in scopes {
      subscribers.append(
        Subscriber(
          view: AccountView(scope, of: nil, in: info),
          subscriptions: try transaction.subscriptions(in: scope, damaged: { _ in })))
      for account in accounts {
        subscribers.append(
          Subscriber(
            view: AccountView(scope, of: account.userRecordName, in: info),
            subscriptions: account.subscriptions(to: scope)))
      }
    }
    self.subscribers = subscribers.filter { !$0.subscriptions.isEmpty }
  }

  /// Whether anybody gets notifications.
  var hasSubscribers: Bool { !subscribers.isEmpty }

  /// Notes what happens to a record.
  ///
  /// - Parameters:
  ///   - record: the record in the container as it is now; the deleted one, while it still exists.
  ///   - scope: the database in the container.
  func note(
    _ change: CloudSubscription.ChangeType, _ record: @autoclosure () throws -> ResultRecord?,
    in scope: DatabaseScope
  ) throws {
    guard !subscribers.isEmpty, let record = try record() else { return }
    let zone = ZoneLocation(scope, record.recordID.zoneID)
    var event = RecordEvent(change: change, record: record, zone: zone)
    if change == .delete {
      event.readers = try Set(subscribers.filter { try sees(record, zone, $0) }.map(\.key))
    }
    events.append(event)
  }

  /// Notes that a zone is created or deleted, or that a user begins or ceases to see one.
  func noteZone(in database: DatabaseKey) { changedZones.insert(database) }

  /// Notes that a user begins or ceases to see records of a zone, which the user sees before and after.
  func noteAccess(to zoneID: ZoneID, in database: DatabaseKey) {
    noteZone(in: database)
    changedAccess[database, default: []].insert(zoneID)
  }

  private func sees(
    _ record: ResultRecord, _ zone: ZoneLocation, _ subscriber: Subscriber
  ) throws -> Bool {
    guard subscriber.view.visible(zone) != nil else { return false }
    guard subscriber.view.isOfOthers(zone) else {
      return try grants(subscriber.view)?.allows(reading: record) ?? true
    }
    return try ShareAccess(of: subscriber.view.user, in: transaction).level(of: record) > .none
  }

  /// Returns the notifications, and deletes the subscriptions that end with their first one.
  func finish() throws -> [PendingNotification] {
    guard !changedZones.isEmpty || !events.isEmpty else { return [] }
    return try subscribers.flatMap { subscriber in
      let events = try events.filter { event in
        try event.readers?.contains(subscriber.key)
          ?? sees(event.record, event.zone, subscriber)
      }.map { event in
        var event = event
        event.record = subscriber.view.shown(event.record, in: event.zone)
        return event
      }
      return try notifications(to: subscriber, about: events)
    }
  }

  private func notifications(
    to subscriber: Subscriber, about events: [RecordEvent]
  ) throws -> [PendingNotification] {
    var notifications: [PendingNotification] = []
    let changesZones = changedZones.contains(subscriber.key)
    for subscription in subscriber.subscriptions {
      let content = NotificationContent(
        subscription: subscription, containerIdentifier: containerIdentifier,
        database: subscriber.key)
      switch subscription.kind {
      case .query(let query, let zoneID, let firesOn, let firesOnce):
        let match = QueryMatch(query)
        let fitting = events.filter { event in
          firesOn.contains(event.change)
            && (zoneID == nil || event.record.recordID.zoneID == zoneID)
            && match.matches(event.record)
        }
        for event in firesOnce ? fitting.prefix(1) : fitting[...] {
          notifications.append(content.notification(about: event))
        }
        if firesOnce && !fitting.isEmpty {
          try AccountTransaction(transaction, of: subscriber.key)
            .deleteSubscription(subscription.subscriptionID)
        }
      case .zone(let zoneID, let recordType):
        let fitting = events.filter {
          $0.record.recordID.zoneID == zoneID && $0.isOf(recordType)
        }
        let changesAccess = changedAccess[subscriber.key]?.contains(zoneID) ?? false
        if !fitting.isEmpty || changesAccess && recordType == nil {
          notifications.append(content.notification(.recordZone(zoneID), fitting))
        }
      case .database(let recordType):
        let fitting = events.filter { $0.isOf(recordType) }
        if !fitting.isEmpty || changesZones && recordType == nil {
          notifications.append(content.notification(.database, fitting))
        }
      }
    }
    return notifications
  }
}

extension RecordEvent {
  fileprivate func isOf(_ recordType: String?) -> Bool {
    recordType.map { record.recordType.sameScalars(as: $0) } ?? true
  }
}
