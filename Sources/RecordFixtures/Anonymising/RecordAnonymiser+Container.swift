import Foundation
import RecordCoding
import RecordModel

extension RecordAnonymiser {
  /// Replaces the users in the metadata of a container; the schema stays.
  func info(_ info: ContainerInfo) throws -> ContainerInfo {
    for (place, text) in [
      ("container identifier", info.identifier), ("schema version", info.schemaVersion),
      ("schema", info.schema.map(SchemaComments.text)),
    ] {
      if let text { inspect(place, text) }
    }
    var result = ContainerInfo(
      identifier: info.identifier, environment: info.environment, schema: info.schema,
      schemaVersion: info.schemaVersion,
      currentUserRecordName: info.currentUserRecordName.map { name($0, .user) })
    result.accounts = try info.accounts.map { account in
      personal.learn(account.identity)
      let identity = identity(account.identity)
      return ContainerAccount(
        userRecordName: name(account.userRecordName, .user),
        nameComponents: identity.nameComponents, lookupInfo: identity.lookupInfo,
        subscriptions: try account.subscriptions.map {
          .init(try subscription($0.subscription), to: $0.databaseScope)
        }.sorted {
          $0.databaseScope != $1.databaseScope
            ? $0.databaseScope < $1.databaseScope
            : compareUTF8($0.subscription.subscriptionID, $1.subscription.subscriptionID) < 0
        })
    }.sorted { compareUTF8($0.userRecordName, $1.userRecordName) < 0 }
    return result
  }

  func zone(_ zone: RecordZone) -> RecordZone {
    RecordZone(
      zoneID: zoneID(zone.zoneID), capabilities: zone.capabilities,
      share: zone.share.map(reference))
  }

  func zoneTombstone(_ tombstone: DeletedZone) -> DeletedZone {
    DeletedZone(zoneID: zoneID(tombstone.zoneID), reason: tombstone.reason)
  }

  // MARK: Subscriptions

  /// Replaces the texts of notifications, and the values of queries as those of their fields.
  func subscription(_ subscription: CloudSubscription) throws -> CloudSubscription {
    let seed = settings.pseudonyms.seed("subscription", of: subscription.subscriptionID)
    let kind: CloudSubscription.Kind
    switch subscription.kind {
    case .query(let query, let zone, let firesOn, let firesOnce):
      kind = .query(
        try self.query(query, seed), zoneID: zone.map(zoneID), firesOn: firesOn,
        firesOnce: firesOnce)
    case .zone(let zone, let recordType): kind = .zone(zoneID(zone), recordType: recordType)
    case .database: kind = subscription.kind
    }
    return CloudSubscription(
      subscriptionID: name(subscription.subscriptionID, .other), kind: kind,
      notificationInfo: subscription.notificationInfo.map { notification($0, seed) })
  }

  private func query(_ query: RecordQuery, _ seed: UInt64) throws -> RecordQuery {
    RecordQuery(
      recordType: query.recordType,
      filters: try query.filters.enumerated().compactMap { index, filter in
        // Each filter has values of its own.
        let seed = seed &+ UInt64(index)
        guard let value = try value(filter, of: query, seed) else { return nil }
        // The distance of a place from a filter's place: a kilometre.
        return QueryFilter(
          filter.fieldName, filter.comparator, value, distance: filter.distance.map { _ in 1000 })
      },
      sort: query.sort.enumerated().map { index, sort in
        var values = MadeUpValues(seed: seed, stream: UInt64(index))
        return QuerySort(
          sort.fieldName, ascending: sort.ascending,
          relativeLocation: sort.relativeLocation.map { _ in values.place() })
      })
  }

  private func value(
    _ filter: QueryFilter, of query: RecordQuery, _ seed: UInt64
  ) throws -> RecordValue? {
    guard filter.fieldName.hasPrefix("___") else {
      return try replace(
        filter.fieldValue, of: filter.fieldName, in: query.recordType, seed: seed)
    }
    // A system field.
    let rule: AnonymisationRule =
      switch filter.fieldValue.type {
      case .timestamp, .timestampList:
        AnonymisationRule(rawValue: settings.policy.dates.rawValue) ?? .date
      default: .identifier
      }
    return replace(filter.fieldValue, by: rule, seed: seed)
  }

  /// The texts that an app's strings file holds stay: keys, and the names of fields and sounds.
  private func notification(_ info: NotificationInfo, _ seed: UInt64) -> NotificationInfo {
    for text in [
      info.alertLocalizationKey, info.alertActionLocalizationKey, info.alertLaunchImage,
      info.titleLocalizationKey, info.subtitleLocalizationKey, info.soundName, info.category,
    ] {
      if let text { inspect("subscriptions", text) }
    }
    let names = info.alertLocalizationArgs + info.titleLocalizationArgs
    for name in names + info.subtitleLocalizationArgs + info.desiredKeys {
      inspect("subscriptions", name)
    }
    var values = MadeUpValues(seed: seed)
    var result = info
    result.otherMembers = []
    result.alertBody = info.alertBody.map { _ in values.text() }
    result.title = info.title.map { _ in values.text() }
    result.subtitle = info.subtitle.map { _ in values.text() }
    result.collapseIDKey = info.collapseIDKey.map { name($0, .other) }
    return result
  }

  // MARK: Shares

  /// Replaces the members of a record that only shares have.
  ///
  /// - Throws: `RecordCodingError` if they are invalid.
  func shareMembers(of record: ResultRecord, seed: UInt64) throws -> OtherMembers {
    guard record.storage.recordType == Share.recordType, let share = try record.readShareInfo()
    else { return [] }
    personal.learn(share)
    var draft = DraftRecord(recordType: Share.recordType, recordID: record.recordID)
    draft.shareInfo = self.share(share, seed: seed)
    return draft.otherMembers
  }

  private func share(_ share: Share, seed: UInt64) -> Share {
    func token(_ seed: UInt64) -> String {
      var values = MadeUpValues(seed: seed)
      return "0" + (0..<21).map { _ in String(values.random.below(36), radix: 36) }.joined()
    }
    let guid = share.shortGUID.map { token(settings.pseudonyms.seed("share", of: $0)) }
    // The order of invitations says who came first.
    let people = share.participants.map(participant).sorted { one, other in
      if (one.role == .owner) != (other.role == .owner) { return one.role == .owner }
      return compareUTF8(one.sortKey, other.sortKey) < 0
    }
    return Share(
      publicPermission: share.publicPermission, participants: people,
      owner: share.owner.map(participant),
      currentUserParticipant: share.currentUserParticipant.map(participant),
      shortGUID: guid,
      // The fragment of the URL is the share's title.
      link: share.link.map { _ in "https://www.icloud.com/share/" + (guid ?? token(seed)) })
  }

  private func participant(_ participant: ShareParticipant) -> ShareParticipant {
    ShareParticipant(
      participantID: participant.participantID.map { name($0, .other) }, role: participant.role,
      permission: participant.permission, acceptanceStatus: participant.acceptanceStatus,
      userIdentity: identity(participant.userIdentity, participant.participantID))
  }

  /// Replaces what is known of a person: the name depends on the user, or on what else identifies the
  /// person, so that it says nothing of the person's name; addresses are those of the rule
  /// ``AnonymisationRule/emailConsistent``.
  private func identity(_ identity: UserIdentity, _ participantID: String? = nil) -> UserIdentity {
    let lookup = identity.lookupInfo
    let person =
      identity.userRecordName ?? lookup?.userRecordName ?? lookup?.emailAddress
      ?? lookup?.phoneNumber ?? participantID ?? ""
    func made(_ purpose: StaticString, _ text: String) -> MadeUpValues {
      MadeUpValues(seed: settings.pseudonyms.seed(purpose, of: text))
    }
    let components = identity.nameComponents.map { _ in
      var values = made("person", person)
      return UserIdentity.NameComponents(
        givenName: values.givenName(), familyName: values.familyName())
    }
    return UserIdentity(
      userRecordName: identity.userRecordName.map { name($0, .user) }, nameComponents: components,
      lookupInfo: lookup.map { lookup in
        UserIdentity.LookupInfo(
          emailAddress: lookup.emailAddress.map {
            var values = made("email", $0)
            return values.email()
          },
          phoneNumber: lookup.phoneNumber.map {
            var values = made("phone", $0)
            return values.phone()
          }, userRecordName: lookup.userRecordName.map { name($0, .user) })
      })
  }
}

extension ShareParticipant {
  /// The text by which participants with pseudonyms are sorted.
  fileprivate var sortKey: String {
    let identity = userIdentity
    return identity.userRecordName ?? participantID ?? identity.lookupInfo?.emailAddress
      ?? identity.lookupInfo?.phoneNumber ?? identity.nameComponents?.familyName ?? ""
  }
}
