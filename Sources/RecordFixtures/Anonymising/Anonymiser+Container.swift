import Foundation
import RecordModel

extension Anonymiser {
  /// Replaces the users in the metadata of a container; the schema stays.
  func info(_ info: ContainerInfo, _ tally: AnonymisationTally) throws -> ContainerInfo {
    var result = ContainerInfo(
      identifier: info.identifier, environment: info.environment, schema: info.schema,
      schemaVersion: info.schemaVersion,
      currentUserRecordName: info.currentUserRecordName.map(name))
    tally.droppedMembers += info.otherMembers.count
    result.accounts = try info.accounts.map { account in
      tally.droppedMembers += account.otherMembers.count
      tally.personal.learn(account.identity)
      return ContainerAccount(
        userRecordName: name(account.userRecordName),
        nameComponents: account.nameComponents.map(components),
        lookupInfo: account.lookupInfo.map(lookupInfo),
        subscriptions: try account.subscriptions.map {
          .init(try subscription($0.subscription, tally), to: $0.databaseScope)
        }.sorted {
          $0.databaseScope != $1.databaseScope
            ? $0.databaseScope < $1.databaseScope
            : compareUTF8($0.subscription.subscriptionID, $1.subscription.subscriptionID) < 0
        })
    }.sorted { compareUTF8($0.userRecordName, $1.userRecordName) < 0 }
    return result
  }

  func zone(_ zone: RecordZone, _ tally: AnonymisationTally) -> RecordZone {
    tally.droppedMembers += zone.otherMembers.count
    return RecordZone(
      zoneID: tally.zones.pseudonym(of: zone.zoneID), capabilities: zone.capabilities,
      share: zone.share.map { reference($0, in: tally.zones) })
  }

  func tombstone(_ tombstone: DeletedRecord, _ tally: AnonymisationTally) -> DeletedRecord {
    tally.droppedMembers += tombstone.otherMembers.count
    let user = user(named: tombstone.recordID.zoneID.ownerName)
    return DeletedRecord(
      recordID: recordID(tombstone.recordID, in: tally.zones), recordType: tombstone.recordType,
      recordChangeTag: tombstone.recordChangeTag,
      deletionDate: tombstone.deletionDate.map { policy.keepsDates ? $0 : user.shift($0) })
  }

  func zoneTombstone(_ tombstone: DeletedZone, _ tally: AnonymisationTally) -> DeletedZone {
    DeletedZone(
      zoneID: tally.zones.pseudonym(of: tombstone.zoneID), reason: tombstone.reason)
  }

  // MARK: Subscriptions

  /// Replaces the texts of notifications, and the values of queries as those of their fields.
  func subscription(
    _ subscription: CloudSubscription, _ tally: AnonymisationTally
  ) throws -> CloudSubscription {
    tally.droppedMembers += subscription.otherMembers.count
    let kind: CloudSubscription.Kind
    switch subscription.kind {
    case .query(let query, let zoneID, let firesOn, let firesOnce):
      kind = .query(
        try self.query(query, tally), zoneID: zoneID.map(tally.zones.pseudonym), firesOn: firesOn,
        firesOnce: firesOnce)
    case .zone(let zoneID, let recordType):
      kind = .zone(tally.zones.pseudonym(of: zoneID), recordType: recordType)
    case .database: kind = subscription.kind
    }
    return CloudSubscription(
      subscriptionID: name(subscription.subscriptionID), kind: kind,
      notificationInfo: subscription.notificationInfo.map { notification($0, tally) })
  }

  private func query(_ query: RecordQuery, _ tally: AnonymisationTally) throws -> RecordQuery {
    tally.droppedMembers += query.otherMembers.count
    let user = user(named: ZoneID.currentUserOwnerName)
    return RecordQuery(
      recordType: query.recordType,
      filters: try query.filters.compactMap { filter in
        tally.droppedMembers += filter.otherMembers.count
        guard let value = try self.value(filter, of: query, user, tally) else { return nil }
        return QueryFilter(filter.fieldName, filter.comparator, value, distance: filter.distance)
      },
      sort: query.sort.map {
        QuerySort(
          $0.fieldName, ascending: $0.ascending,
          relativeLocation: $0.relativeLocation.map(user.move))
      })
  }

  private func value(
    _ filter: QueryFilter, of query: RecordQuery, _ user: AnonymisedUser,
    _ tally: AnonymisationTally
  ) throws -> RecordValue? {
    if filter.fieldName.hasPrefix("___") {
      // A system field.
      var context = Context(user: user, zones: tally.zones, assets: [:])
      let rule: AnonymisationRule
      switch filter.fieldValue.type {
      case .timestamp, .timestampList: rule = policy.keepsDates ? .keep : .shift
      case .string, .stringList: rule = .identifier
      default: rule = .keep
      }
      return replace(filter.fieldValue, by: rule, &context)
    }
    let field = Field(name: filter.fieldName, value: filter.fieldValue)
    return try tally.replace(field, of: query.recordType, user)
  }

  /// The texts that an app's strings file holds stay: keys, and the names of fields and sounds.
  private func notification(
    _ info: NotificationInfo, _ tally: AnonymisationTally
  ) -> NotificationInfo {
    tally.droppedMembers += info.otherMembers.count
    var result = info
    result.otherMembers = []
    result.alertBody = info.alertBody.map(texts.text)
    result.title = info.title.map(texts.text)
    result.subtitle = info.subtitle.map(texts.text)
    result.collapseIDKey = info.collapseIDKey.map(name)
    return result
  }
}
