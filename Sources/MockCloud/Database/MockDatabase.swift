import CloudInterface
import RecordModel
import RecordStore

/// A database of a mock container.
///
/// A call does what the server does, or what ``ServerRules`` sets where sources disagree. It throws
/// `CloudError` with CloudKit's code, and the server's message if it is publicly known. It throws
/// `ContainerStoreError` if the container's file cannot be read or written. Each call is one
/// transaction.
///
/// ```swift
/// let database = container.privateCloudDatabase
/// let results = try await database.modifyRecords(saving: [first, second], deleting: [])
/// for (id, result) in results.saveResults {
///   print(id.recordName, try result.get().recordChangeTag ?? "")
/// }
/// ```
public struct MockDatabase: CloudDatabase {
  /// The container of the database.
  public let container: MockContainer
  /// The scope of the database.
  public let databaseScope: DatabaseScope
  /// The device that the requests come from, and so the user. Records that it saves have its name as
  /// `lastModifiedUserDevice`; it does not get notifications about them.
  let device: DeviceKey

  /// Handles a request on the container's queue, if the account allows it.
  ///
  /// - Parameter body: gets the container, and the database of the user who has signed in.
  func answering<T: Sendable>(
    writes: Bool = false, items: Int = 0,
    _ body: @escaping @Sendable (MockContainer, DatabaseKey) throws -> T
  ) async throws -> T {
    let (container, scope) = (container, databaseScope)
    return try await container.answering(device, in: scope, writes: writes, items: items) {
      if scope == .shared, let missing = try container.store.missingParticipants() {
        try container.store.make(missing)
      }
      return try body(container, DatabaseKey(scope: scope, account: $0))
    }
  }

  /// Handles a request that changes nothing.
  ///
  /// - Parameter count: the number of items in the request.
  func reading<T: Sendable>(
    items count: Int = 0, _ body: @escaping @Sendable (AccountSnapshot) throws -> T
  ) async throws -> T {
    try await answering(items: count) { container, database in
      try container.store.snapshot { try body(AccountSnapshot($0, of: database)) }
    }
  }

  /// Handles a request that changes the database, and sends the notifications about it.
  ///
  /// - Parameter count: the number of items in the request.
  func changing<T: Sendable>(
    items count: Int, _ body: @escaping @Sendable (AccountTransaction, Notifier) throws -> T
  ) async throws -> T {
    let device = device
    return try await answering(writes: true, items: count) { container, database in
      try container.changing(in: database, from: device, body)
    }
  }

  /// Returns the grants that the mock checks a request to read against; nil for none.
  func grants(for snapshot: AccountSnapshot) throws -> GrantRule? {
    guard databaseScope == .public else { return nil }
    return GrantRule(
      try container.schemas.schema(of: snapshot.info, container.rules), for: snapshot.view,
      hasAccount: container.sessions.session(of: device).status == .available)
  }

  /// Fetches the zones that have changed; see `CloudDatabase`.
  public func databaseChanges(
    since serverChangeToken: ServerChangeToken?, resultsLimit: Int?
  ) async throws -> (
    modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
    changeToken: ServerChangeToken, moreComing: Bool
  ) {
    let page = try await fetching { try $0.zones(since: serverChangeToken, limit: resultsLimit) }
    return (page.modifications, page.deletions, page.changeToken, page.moreComing)
  }

  /// Fetches the records of a zone that have changed; see `CloudDatabase`.
  public func recordZoneChanges(
    inZoneWith zoneID: ZoneID, since serverChangeToken: ServerChangeToken?,
    desiredKeys: [String]?, resultsLimit: Int?
  ) async throws -> (
    modificationResultsByID: [RecordID: Result<RecordZoneChange.Modification, any Error>],
    deletions: [RecordZoneChange.Deletion], changeToken: ServerChangeToken, moreComing: Bool
  ) {
    let page = try await fetching {
      try $0.records(
        of: zoneID, since: serverChangeToken, desiredKeys: desiredKeys, limit: resultsLimit)
    }
    var modifications: [RecordID: Result<RecordZoneChange.Modification, any Error>] = [:]
    modifications.reserveCapacity(page.records.count)
    for record in page.records { modifications[record.recordID] = .success(.init(record: record)) }
    for (recordID, error) in page.failures { modifications[recordID] = .failure(error) }
    return (modifications, page.deletions, page.changeToken, page.moreComing)
  }

  /// Fetches the changes of a zone in their order, deletions with their change tags.
  package func oldestChanges(
    inZoneWith zoneID: ZoneID, since serverChangeToken: ServerChangeToken?, resultsLimit: Int?
  ) async throws -> ChangePage {
    try await fetching {
      try $0.oldest(of: zoneID, since: serverChangeToken, limit: resultsLimit)
    }
  }

  /// Fetches the changes of a zone, the newest first.
  ///
  /// - Parameter serverChangeToken: that of a fetch in the usual order, or of the page before. After
  ///   the last page, it is one for the usual order.
  package func newestChanges(
    inZoneWith zoneID: ZoneID, since serverChangeToken: ServerChangeToken?, resultsLimit: Int?
  ) async throws -> ChangePage {
    try await fetching {
      try $0.newest(of: zoneID, since: serverChangeToken, limit: resultsLimit)
    }
  }

  /// Returns the token of a zone, or of the database, after which nothing has changed yet.
  ///
  /// - Parameter zoneID: the zone; nil for the database.
  package func currentChangeToken(ofZone zoneID: ZoneID?) async throws -> ServerChangeToken {
    try await fetching { try $0.currentToken(of: zoneID) }
  }

  private func fetching<T: Sendable>(
    _ body: @escaping @Sendable (ChangeFeed) throws -> T
  ) async throws -> T {
    try await answering { container, database in
      try body(
        ChangeFeed(
          container.store, of: database.scope, account: database.account, rules: container.rules))
    }
  }

  /// Fetches all subscriptions to the database that can be read, by identifier.
  public func allSubscriptions() async throws -> [CloudSubscription] {
    try await reading { try $0.subscriptions() }
  }

  /// Fetches all subscriptions to the database, and the errors of those that cannot be read.
  package func readableSubscriptions() async throws -> (
    subscriptions: [CloudSubscription], errors: [CloudError]
  ) {
    try await reading { snapshot in
      var errors: [CloudError] = []
      return (try snapshot.subscriptions { errors.append($0.cloudError) }, errors)
    }
  }

  /// Fetches subscriptions; see `CloudDatabase`.
  public func subscriptions(
    for ids: [String]
  ) async throws -> [String: Result<CloudSubscription, any Error>] {
    try await reading(items: ids.count) { snapshot in
      try resultsOfItems(ids) { id in
        if let subscription = try snapshot.subscription(id) { return subscription }
        let scope = snapshot.view.scope
        throw CloudError(
          .unknownItem, "subscription '\(id)' is not in the \(scope.rawValue) database")
      }
    }
  }

  /// Saves and deletes subscriptions; see `CloudDatabase`. Deleting one that does not exist is no
  /// error.
  @discardableResult
  public func modifySubscriptions(
    saving subscriptionsToSave: [CloudSubscription], deleting subscriptionIDsToDelete: [String]
  ) async throws -> (
    saveResults: [String: Result<CloudSubscription, any Error>],
    deleteResults: [String: Result<Void, any Error>]
  ) {
    let rules = container.rules
    return try await changing(items: subscriptionsToSave.count + subscriptionIDsToDelete.count) {
      transaction, _ in
      var saved: [String: Result<CloudSubscription, any Error>] = [:]
      for subscription in subscriptionsToSave {
        saved[subscription.subscriptionID] = try resultOfItem {
          try SubscriptionRule.check(subscription, rules, transaction)
          try transaction.save(subscription)
          return subscription
        }
      }
      let deleted = try resultsOfItems(subscriptionIDsToDelete) {
        try transaction.deleteSubscription($0)
      }
      return (saved, deleted)
    }
  }

  /// Fetches all zones of the database, by owner and name.
  public func allRecordZones() async throws -> [RecordZone] {
    try await reading { try $0.zones() }
  }

  /// Fetches all zones of the database that can be read, and the errors of the others; the zone of an
  /// error is nil if its row is lost.
  package func readableRecordZones() async throws -> (
    zones: [RecordZone], errors: [(zoneID: ZoneID?, error: CloudError)]
  ) {
    try await reading { snapshot in
      var errors: [(zoneID: ZoneID?, error: CloudError)] = []
      let zones = try snapshot.zones { errors.append(($0, $1)) }
      return (zones.filter { zone in !errors.contains { $0.zoneID == zone.zoneID } }, errors)
    }
  }

  /// Fetches zones; see `CloudDatabase`.
  public func recordZones(
    for ids: [ZoneID]
  ) async throws -> [ZoneID: Result<RecordZone, any Error>] {
    try await reading(items: ids.count) { snapshot in
      try resultsOfItems(ids) { id in
        guard let zone = try snapshot.zone(id) else { throw try snapshot.missingZone(id) }
        return zone
      }
    }
  }

  /// Saves and deletes zones; see `CloudDatabase`.
  ///
  /// Deleting a zone of the shared database ends the user's part in its shares.
  @discardableResult
  public func modifyRecordZones(
    saving recordZonesToSave: [RecordZone], deleting recordZoneIDsToDelete: [ZoneID]
  ) async throws -> (
    saveResults: [ZoneID: Result<RecordZone, any Error>],
    deleteResults: [ZoneID: Result<Void, any Error>]
  ) {
    let rules = container.rules
    return try await changing(items: recordZonesToSave.count + recordZoneIDsToDelete.count) {
      transaction, notifier in
      var saved: [ZoneID: Result<RecordZone, any Error>] = [:]
      for zone in recordZonesToSave {
        saved[zone.zoneID] = try resultOfItem {
          try ZoneRule.check(saving: zone, in: transaction.view, rules)
          // A zone that cannot be read is replaced.
          if let known = try transaction.readableZone(zone.zoneID) { return known }
          if try transaction.location(of: zone.zoneID) == nil {
            try ZoneRule.check(count: transaction.createdZones(), rules)
          }
          try transaction.save(zone)
          notifier.noteZone(in: transaction.view.key)
          return zone
        }
      }
      let deleted: [ZoneID: Result<Void, any Error>] =
        try resultsOfItems(recordZoneIDsToDelete) { zoneID in
          guard try transaction.location(of: zoneID) != nil else {
            let error = try transaction.missingZone(zoneID)
            if error.code == .zoneNotFound, rules.missingZoneDeletion == .succeeds { return }
            throw error
          }
          if let shares = try transaction.sharesToLeave(zoneID) {
            let request = ModifyRequest(transaction, rules: rules)
            try request.judge(
              saving: [], deleting: shares.map { RecordDeletion($0) }, atomically: false)
            _ = try request.apply(notifier)
          } else {
            try transaction.deleteZone(zoneID, notifier)
          }
        }
      return (saved, deleted)
    }
  }
}

/// Returns the result of one item of a request: an error of CloudKit is the item's, and so is that of a
/// damaged record, zone or subscription. Another error is thrown.
func resultOfItem<T>(_ body: () throws -> T) throws -> Result<T, any Error> {
  do {
    return .success(try body())
  } catch let error as CloudError {
    return .failure(error)
  } catch let error as ContainerStoreError where error.isOfItem {
    return .failure(error.cloudError)
  }
}

/// Returns the results of the items of a request, each item once; see ``resultOfItem(_:)``.
func resultsOfItems<Item: Hashable, T>(
  _ items: [Item], _ body: (Item) throws -> T
) throws -> [Item: Result<T, any Error>] {
  var results: [Item: Result<T, any Error>] = [:]
  for item in items where results[item] == nil {
    results[item] = try resultOfItem { try body(item) }
  }
  return results
}

extension ContainerStoreError {
  /// The error of a request for a damaged item, without details, which may quote a value.
  package var cloudError: CloudError { CloudError(.internalError, descriptionForClients) }
}
