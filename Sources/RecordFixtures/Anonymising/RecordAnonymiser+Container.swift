import Foundation
import RecordModel

extension RecordAnonymiser {
  /// Replaces the users in the metadata of a container; the schema stays.
  func info(_ info: ContainerInfo) throws -> ContainerInfo {
    var schema = info.schema
    if settings.policy.droppedParts.contains(.comments) {
      schema = schema.map { SchemaComments.split($0).code }
    }
    for (place, text) in [
      (.identifier, info.identifier), (.version, info.schemaVersion),
      (.comments, schema.map { SchemaComments.split($0).comments }),
    ] as [(AnonymisationPolicy.Place, String?)] {
      if let text { inspect(place, text) }
    }
    var result = ContainerInfo(
      identifier: info.identifier, environment: info.environment, schema: schema,
      schemaVersion: info.schemaVersion,
      currentUserRecordName: info.currentUserRecordName.map { name($0, .user) })
    if let name = info.currentUserRecordName {
      // Everybody sees who was signed in.
      let look = Self.node("name", "the signed-in user")
      batch.look(of: user(named: name).node, kind: look, all: look)
    }
    result.accounts = try info.accounts.map { account in
      personal.learn(account.identity)
      let identity = identity(account.identity)
      var new = ContainerAccount(
        userRecordName: name(account.userRecordName, .user),
        nameComponents: identity.nameComponents, lookupInfo: identity.lookupInfo)
      var old = account
      old.subscriptions = []
      let (node, user) = (
        Self.node("account", account.userRecordName), user(named: account.userRecordName)
      )
      look(of: node, try old.jsonValue(), try new.jsonValue())
      batch.link(node, user.node, Self.ownerRole)
      batch.person(user.node)
      refer(to: account.identity, from: node, Self.participantRole)
      new.subscriptions = try account.subscriptions.compactMap { one in
        try subscription(one.subscription, in: one.databaseScope, of: account.userRecordName).map {
          .init($0, to: one.databaseScope)
        }
      }.sorted {
        $0.databaseScope != $1.databaseScope
          ? $0.databaseScope < $1.databaseScope
          : compareUTF8($0.subscription.subscriptionID, $1.subscription.subscriptionID) < 0
      }
      return new
    }.sorted { compareUTF8($0.userRecordName, $1.userRecordName) < 0 }
    return result
  }

  func zone(_ zone: RecordZone, in database: DatabaseScope) throws -> RecordZone {
    let known = self.zone(zone.zoneID)
    let share = zone.share.flatMap { keeps($0, in: database, isShare: true) ? $0 : nil }
    let new = RecordZone(
      zoneID: known.new, capabilities: zone.capabilities, share: share.map(reference))
    let node = Self.node("zone line", database) ^ known.node
    look(of: node, try zone.jsonValue(), try new.jsonValue(), and: database)
    batch.link(node, known.node, Self.zoneRole)
    if let share = share?.recordID {
      let target = place(share.packedName, .record).node ^ self.zone(share.zoneID).node
      batch.link(node, target, Self.shareRole)
    }
    return new
  }

  func zoneTombstone(_ tombstone: DeletedZone, in database: DatabaseScope) throws -> DeletedZone {
    let zone = zone(tombstone.zoneID)
    let new = DeletedZone(zoneID: zone.new, reason: tombstone.reason)
    let node = Self.node("deleted zone", database) ^ zone.node
    look(of: node, try tombstone.jsonValue(), try new.jsonValue(), and: database)
    batch.link(node, zone.node, Self.zoneRole)
    return new
  }

  // MARK: Subscriptions

  /// Replaces the texts of notifications, and the values of queries as those of their fields.
  ///
  /// - Parameter user: The user whose subscription it is.
  /// - Returns: nil if the policy drops it.
  private func subscription(
    _ subscription: CloudSubscription, in database: DatabaseScope, of user: String
  ) throws -> CloudSubscription? {
    if settings.policy.droppedParts.contains(.subscriptions) { return nil }
    let owner = self.user(named: user)
    let id = subscription.subscriptionID
    let node = Self.node("subscription", [id, user, database.rawValue])
    var context = Context(
      self, owner: user, seed: settings.pseudonyms.seed("subscription", of: id),
      trace: RecordTrace(node: node, type: 0))
    let kind: CloudSubscription.Kind
    var zoneID: ZoneID?
    switch subscription.kind {
    case .query(let query, let zone, let firesOn, let firesOnce):
      zoneID = zone
      kind = .query(
        try self.query(query, &context), zoneID: zone.map(self.zoneID), firesOn: firesOn,
        firesOnce: firesOnce)
    case .zone(let zone, let recordType):
      zoneID = zone
      kind = .zone(self.zoneID(zone), recordType: recordType)
    case .database: kind = subscription.kind
    }
    let new = CloudSubscription(
      subscriptionID: name(id, .other), kind: kind,
      notificationInfo: subscription.notificationInfo.map { notification($0, context.seed) })
    look(
      of: node, try subscription.jsonValue(), try new.jsonValue(),
      and: [context.trace?.all.hashValue, database.hashValue])
    batch.link(node, owner.node, Self.ownerRole)
    batch.hold(settings.pseudonyms.place(CompactName(id), .other).node, by: node, Self.nameRole)
    if let zoneID { batch.link(node, zone(zoneID).node, Self.zoneRole) }
    return new
  }

  func subscription(
    _ subscription: CloudSubscription, in database: DatabaseScope
  ) throws -> CloudSubscription? {
    try self.subscription(subscription, in: database, of: ZoneID.currentUserOwnerName)
  }

  private func query(_ query: RecordQuery, _ context: inout Context) throws -> RecordQuery {
    let seed = context.seed
    return RecordQuery(
      recordType: query.recordType,
      filters: try query.filters.enumerated().compactMap { index, filter in
        // Each filter has values of its own.
        context.values = MadeUpValues(seed: seed &+ UInt64(index))
        guard let value = try value(filter, of: query, &context) else { return nil }
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
    _ filter: QueryFilter, of query: RecordQuery, _ context: inout Context
  ) throws -> RecordValue? {
    guard filter.fieldName.hasPrefix("___") else {
      return try replace(
        filter.fieldValue, of: filter.fieldName, in: query.recordType, &context)
    }
    // A system field.
    let rule: AnonymisationRule =
      switch filter.fieldValue.type {
      case .timestamp, .timestampList:
        AnonymisationRule(rawValue: settings.policy.dates.rawValue) ?? .date
      default: .identifier
      }
    return replace(filter.fieldValue, by: PolicyRule(rule), nil, &context)
  }

  /// The texts that an app's strings file holds stay: keys, and the names of fields and sounds.
  private func notification(_ info: NotificationInfo, _ seed: UInt64) -> NotificationInfo {
    for text in [
      info.alertLocalizationKey, info.alertActionLocalizationKey, info.alertLaunchImage,
      info.titleLocalizationKey, info.subtitleLocalizationKey, info.soundName, info.category,
    ] {
      if let text { inspect(.subscriptions, text) }
    }
    let names = info.alertLocalizationArgs + info.titleLocalizationArgs
    for name in names + info.subtitleLocalizationArgs + info.desiredKeys {
      inspect(.subscriptions, name)
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
  func shareMembers(of record: ResultRecord, _ context: inout Context) throws -> OtherMembers {
    guard record.storage.recordType == Share.recordType, let share = try record.readShareInfo()
    else { return [] }
    personal.learn(share)
    try note(share, &context)
    var draft = DraftRecord(recordType: Share.recordType, recordID: record.recordID)
    draft.shareInfo = self.share(share, seed: context.seed)
    return draft.otherMembers
  }

  /// Notes what remains of a share: who takes part, with which rights.
  private func note(_ share: Share, _ context: inout Context) throws {
    context.trace?.note(share.publicPermission)
    context.trace?.note([share.link == nil, share.shortGUID == nil])
    guard let trace = context.trace else { return }
    let people =
      share.participants.map { ("participant", $0) }
      + [("owner", share.owner), ("current user", share.currentUserParticipant)]
      .compactMap { place, person in person.map { (place, $0) } }
    for (place, person) in people {
      let look = Self.look(try person.jsonValue(), try participant(person).jsonValue())
      let role = Self.node(place, look)
      refer(to: person.userIdentity, from: trace.node, role)
      if let id = person.participantID {
        batch.hold(self.place(CompactName(id), .other).node, by: trace.node, role)
      }
      // The data has persons who never made a record.
      let identity = person.userIdentity
      let name = identity.userRecordName ?? identity.lookupInfo?.userRecordName
      if let name { batch.person(Self.userNode(settings.realName(name))) }
    }
  }

  /// Links a node to what identifies a person.
  private func refer(to identity: UserIdentity, from node: UInt64, _ role: UInt64) {
    let lookup = identity.lookupInfo
    for name in Set([identity.userRecordName, lookup?.userRecordName].compactMap(\.self)) {
      batch.link(node, user(named: name).node, role)
    }
    let rule = AnonymisationRule.emailConsistent.rawValue
    for (kind, text) in [(rule, lookup?.emailAddress), ("phone", lookup?.phoneNumber)] {
      if let text { batch.link(node, Self.node(kind, text), role) }
    }
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

  /// Replaces what is known of a person. The name is that of the address, and addresses are those of the rule
  /// ``AnonymisationRule/emailConsistent``; without an address, the name depends on the user, or on what else
  /// identifies the person.
  private func identity(_ identity: UserIdentity, _ participantID: String? = nil) -> UserIdentity {
    let lookup = identity.lookupInfo
    func made(_ purpose: StaticString, _ text: String) -> MadeUpValues {
      MadeUpValues(seed: settings.pseudonyms.seed(purpose, of: text))
    }
    let components = identity.nameComponents.map { _ in
      var values =
        lookup?.emailAddress.map { made("email", $0) }
        ?? made(
          "person",
          identity.userRecordName ?? lookup?.userRecordName ?? lookup?.phoneNumber ?? participantID
            ?? "")
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
