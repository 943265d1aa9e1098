import Foundation
import RecordArchive
import RecordModel

/// The values of a container, with their places.
struct FixtureContent {
  /// A value that both a source and a result can have.
  struct Value {
    enum Content {
      case text(String)
      case bytes(Data)
      case other
    }

    var hash: Int
    var content = Content.other
    /// Whether it stays by the policy, or is one of few words of its rule.
    var isOfRule = false
    /// Whether it is of a form that made-up values have often.
    var isCommon = false
    /// Whether it is a moment that made-up dates can be.
    var isMoment = false

    func isIn(_ texts: SourceTexts) -> Bool {
      switch content {
      case .text(let text): texts.isIn(text)
      case .bytes(let data): texts.isIn(data)
      case .other: false
      }
    }
  }

  private let source: ArchiveSource
  private let policy: AnonymisationPolicy?
  private let kept: [NamePattern]
  /// The digests of the assets that an anonymisation gives to all sources.
  private let constantAssets: Set<String>

  init(of source: ArchiveSource, _ policy: AnonymisationPolicy?) throws {
    (self.source, self.policy) = (source, policy)
    kept = policy?.keptNames.map { NamePattern($0) } ?? []
    let size = ReplacementContent.usualSize
    let assets = try source.assets().filter { asset in
      let bytes = asset.size == size ? source.firstBytes(size, ofAsset: asset.sha256) : nil
      return bytes.map { ReplacementContent.isConstant(Data($0)) } ?? false
    }
    constantAssets = Set(assets.map(\.sha256))
  }

  typealias Body = (String, Value) throws -> Void

  /// Calls `body` with each place and its values.
  func read(_ body: Body) throws {
    let info = try source.info()
    try name("user names", info.currentUserRecordName, body)
    for account in info.accounts {
      try name("user names", account.userRecordName, body)
      try person(account.identity, body)
    }
    let subscriptions = try source.subscriptions().map(\.subscription)
    for one in subscriptions + info.accounts.flatMap({ $0.subscriptions.map(\.subscription) }) {
      try read(one, body)
    }
    for one in try source.zones().map(\.zone) {
      try read(one.zoneID, body)
      try read(one.share?.recordID, body)
    }
    for one in try source.zoneTombstones() { try read(one.tombstone.zoneID, body) }
    try source.forEachRecord { record, _ in try read(record, body) }
    try source.forEachTombstone { tombstone, _ in
      try name("record names", tombstone.recordID.recordName, body)
      try date(tombstone.deletionDate, body)
    }
  }

  private func name(_ place: String, _ name: String?, _ body: Body) throws {
    guard let name, !Self.reserved.contains(name), !kept.contains(where: { $0.matches(name) })
    else {
      return
    }
    try body(place, Value(hash: name.hashValue, content: .text(name)))
  }

  private func date(_ date: Date?, _ body: Body) throws {
    guard policy?.dates != .keep, let date else { return }
    try body("creation and modification dates", moment(date))
  }

  private func moment(_ date: Date) -> Value {
    let seconds = date.timeIntervalSince1970
    let isMoment = seconds == seconds.rounded() && 1_420_070_400...1_735_689_600 ~= seconds
    return Value(hash: date.hashValue, isMoment: isMoment)
  }

  private func read(_ zoneID: ZoneID, _ body: Body) throws {
    try name("zone names", zoneID.zoneName, body)
    try name("user names", zoneID.ownerName, body)
  }

  private func read(_ recordID: RecordID?, _ body: Body) throws {
    guard let recordID else { return }
    try name("record names", recordID.recordName, body)
    try read(recordID.zoneID, body)
  }

  private func person(_ identity: UserIdentity, _ body: Body) throws {
    let (lookup, names) = (identity.lookupInfo, identity.nameComponents)
    try name("user names", identity.userRecordName ?? lookup?.userRecordName, body)
    for text in [lookup?.emailAddress, lookup?.phoneNumber] {
      try name("addresses of persons", text, body)
    }
    for text in [names?.givenName, names?.middleName, names?.familyName, names?.nickname] {
      guard let text else { continue }
      // Made-up names are of a list, which real ones can be on.
      let isCommon = SourceTexts.isMadeUp(text)
      try body(
        "names of persons", Value(hash: text.hashValue, content: .text(text), isCommon: isCommon))
    }
  }

  private func read(_ subscription: CloudSubscription, _ body: Body) throws {
    try name("subscription names", subscription.subscriptionID, body)
    let info = subscription.notificationInfo
    for text in [info?.alertBody, info?.title, info?.subtitle, info?.collapseIDKey] {
      try name("texts of subscriptions", text, body)
    }
    guard case .query(let query, _, _, _) = subscription.kind else { return }
    for filter in query.filters {
      let field = Field(name: filter.fieldName, value: filter.fieldValue)
      try read(field, query.recordType, body)
    }
  }

  private func read(_ record: ResultRecord, _ body: Body) throws {
    let storage = record.storage
    for one in [storage.recordID, storage.parent?.recordID, storage.share?.recordID] {
      try read(one, body)
    }
    for stamp in [storage.created, storage.modified] {
      try name("user names", stamp?.userRecordName, body)
      try name("device names", stamp?.deviceID, body)
      try date(stamp?.date, body)
    }
    if storage.recordType == Share.recordType, let share = try record.readShareInfo() {
      for participant in share.participants {
        try person(participant.userIdentity, body)
        try name("participants", participant.participantID, body)
      }
      try name("links of shares", share.shortGUID, body)
      try name("links of shares", share.link, body)
    }
    for field in record.fields { try read(field, storage.recordType, body) }
  }

  private func read(_ field: Field, _ recordType: String, _ body: Body) throws {
    let rule = policy?.rule(
      for: field.name, of: recordType, field.value.type ?? .string, isEncrypted: field.isEncrypted
    )?.rule
    let isOfRule = rule.map { $0.keepsValues || Self.ofWords.contains($0) } ?? false
    for reference in field.value.references { try read(reference.recordID.zoneID, body) }
    for element in field.value.elements ?? [field.value] {
      guard var one = self.value(element) else { continue }
      one.isOfRule = isOfRule
      one.isCommon = one.isCommon || isOfRule || isConstant(element)
      try body("\(recordType).\(field.name)", one)
    }
  }

  /// Whether a value is what an anonymisation writes for all values of its type or kind.
  private func isConstant(_ value: RecordValue) -> Bool {
    switch value {
    case .bytes(let data) where ReplacementContent.isConstant(data): true
    case .asset(let asset): constantAssets.contains(asset.sha256 ?? "")
    default: value.type.map { value == RecordAnonymiser.constant($0) } ?? false
    }
  }

  private func value(_ value: RecordValue) -> Value? {
    switch value {
    case .string(let text):
      guard !Self.constants.contains(text) else { return nil }
      return Value(
        hash: text.hashValue, content: .text(text),
        isCommon: SourceTexts.isMadeUp(text) || PhoneNumber.isFictional(text))
    case .int64(let number):
      return Value(hash: number.hashValue, isCommon: (-9999...9999).contains(number))
    case .double(let number):
      // Made-up numbers have two digits behind the point.
      let isShort = number.magnitude < 10_000 && number * 100 == (number * 100).rounded()
      return Value(hash: number.hashValue, isCommon: isShort)
    case .timestamp(let date): return moment(date)
    case .bytes(let data): return Value(hash: data.hashValue, content: .bytes(data))
    case .asset(let asset):
      return asset.sha256.map { Value(hash: $0.hashValue) }
    case .reference(let reference):
      let name = reference.recordID.recordName
      return Self.reserved.contains(name)
        ? nil : Value(hash: name.hashValue, content: .text(name))
    case .emptyList, .unknown: return nil
    default: return Value(hash: value.hashValue)
    }
  }

  private static let reserved: Set = [
    ZoneID.currentUserOwnerName, ZoneID.defaultZoneName, Share.zoneWideRecordName,
    CoreDataNames.zoneName,
  ]
  private static let constants: Set = ["", "redacted"]
  /// The rules whose few words a source can have, too.
  private static let ofWords: Set<AnonymisationRule> = [
    .enumeration, .flag, .emoji, .locale, .version, .integer, .decimal, .json, .name, .date,
  ]
}
