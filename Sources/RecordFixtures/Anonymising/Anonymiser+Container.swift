import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

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

  /// Replaces the members of a record that only shares have.
  ///
  /// - Throws: `RecordCodingError` if they are invalid.
  func shareMembers(of record: SystemFields) throws -> OtherMembers {
    guard record.recordType == Share.recordType else { return [] }
    guard let share = try ResultRecord(systemFields: record, fields: []).readShareInfo() else {
      return []
    }
    var draft = DraftRecord(recordType: Share.recordType, recordID: record.recordID)
    draft.shareInfo = self.share(share)
    return draft.otherMembers
  }

  func share(_ share: Share) -> Share {
    let guid = share.shortGUID.map(name)
    return Share(
      publicPermission: share.publicPermission, participants: share.participants.map(participant),
      owner: share.owner.map(participant),
      currentUserParticipant: share.currentUserParticipant.map(participant), shortGUID: guid,
      // The fragment of the URL is the share's title.
      url: share.url.map {
        "https://www.icloud.com/share/" + (guid ?? String(digest($0).prefix(22)))
      })
  }

  /// The number of members of participants that this version does not know.
  static func droppedMembers(of share: Share) -> Int {
    let people = share.participants + [share.owner, share.currentUserParticipant].compactMap { $0 }
    return people.reduce(0) { count, person in
      let identity = person.userIdentity
      return count + person.otherMembers.count + identity.otherMembers.count
        + (identity.nameComponents?.otherMembers.count ?? 0)
        + (identity.lookupInfo?.otherMembers.count ?? 0)
    }
  }

  private func participant(_ participant: ShareParticipant) -> ShareParticipant {
    ShareParticipant(
      participantID: participant.participantID.map(name), role: participant.role,
      permission: participant.permission, acceptanceStatus: participant.acceptanceStatus,
      userIdentity: identity(participant.userIdentity))
  }

  func identity(_ identity: UserIdentity) -> UserIdentity {
    UserIdentity(
      userRecordName: identity.userRecordName.map(name),
      nameComponents: identity.nameComponents.map(components),
      lookupInfo: identity.lookupInfo.map(lookupInfo))
  }

  func components(_ name: UserIdentity.NameComponents) -> UserIdentity.NameComponents {
    UserIdentity.NameComponents(
      namePrefix: name.namePrefix.map(words.name), givenName: name.givenName.map(words.name),
      middleName: name.middleName.map(words.name), familyName: name.familyName.map(words.name),
      nameSuffix: name.nameSuffix.map(words.name), nickname: name.nickname.map(words.name))
  }

  func lookupInfo(_ info: UserIdentity.LookupInfo) -> UserIdentity.LookupInfo {
    UserIdentity.LookupInfo(
      emailAddress: info.emailAddress.map { words.email($0) ?? texts.text($0) },
      phoneNumber: info.phoneNumber.map { texts.phone($0) ?? texts.text($0) },
      userRecordName: info.userRecordName.map(name))
  }
}

/// How the dates and locations of one user's records move.
struct AnonymisedUser: Sendable {
  /// The milliseconds that are added to each date: between 30 and 730 days into the past.
  let milliseconds: Int64
  /// The degrees that are added to the latitude and to the longitude.
  let degrees: (latitude: Double, longitude: Double)

  private static let day = 86_400_000

  /// Dates closer to 2001 than this are exact to the millisecond as seconds, too.
  static let exactMilliseconds: UInt64 = 1 << 50

  init(named name: String, _ hash: SipHash) {
    var random = SeededNumbers(seed: hash.hash(name))
    milliseconds = -Int64(30 * Self.day + random.below(700 * Self.day))
    let latitude = 5 + 30 * random.fraction()
    degrees = (
      random.below(2) == 0 ? latitude : -latitude, 30 + 300 * random.fraction()
    )
  }

  /// Moves a date; whole milliseconds stay whole ones.
  func shift(_ date: Date) -> Date {
    let seconds = date.timeIntervalSinceReferenceDate
    let whole = (seconds * 1000).rounded()
    guard whole.magnitude < Double(Self.exactMilliseconds), whole / 1000 == seconds else {
      return Date(timeIntervalSinceReferenceDate: seconds + Double(milliseconds) / 1000)
    }
    return CanonicalDate.date(wholeMilliseconds: Int64(whole) + 978_307_200_000 + milliseconds)
  }

  /// Moves a location on the globe; beyond the 85th degree of latitude, back again.
  func move(_ location: Location) -> Location {
    var moved = location
    moved.otherMembers = []
    var latitude = max(-90, min(90, location.latitude)) + degrees.latitude
    if latitude > 85 { latitude = 170 - latitude }
    if latitude < -85 { latitude = -170 - latitude }
    moved.latitude = Self.rounded(latitude)
    var longitude = max(-180, min(180, location.longitude)) + degrees.longitude
    if longitude > 180 { longitude -= 360 }
    moved.longitude = Self.rounded(longitude)
    moved.timestamp = location.timestamp.map(shift)
    return moved
  }

  /// Six digits behind the point are a tenth of a metre.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
}
