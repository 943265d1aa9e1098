import CloudInterface
import Foundation
import MockCloud
import RecordModel
import RecordStore

/// A container of mira and kenji in which random things happen, the same for the same seed.
struct LiveContainer {
  let mock: MockContainer
  let kenji: MockAccount
  var random: SeededGenerator
  private var made = 0

  static let zones = ["A", "B", "C"].map { ZoneID(zoneName: $0) }
  /// What every encrypted value has in it.
  static let secret = "Geheimnis"

  init(seed: UInt64, pageSize: Int = 3) async throws {
    var rules = ServerRules.native
    rules.maxResults = pageSize
    mock = try MockContainer.inMemory(
      info: ContainerInfo(identifier: "iCloud.com.example.notes", currentUserRecordName: "_mira"),
      rules: rules, now: { testDate })
    kenji = try mock.account("_kenji", emailAddress: "kenji@example.com")
    random = SeededGenerator(seed)
  }

  /// The signed-in user's account.
  var mira: MockAccount { get throws { try mock.account("_mira", emailAddress: "m@example.com") } }

  /// Lets some things happen. What the server refuses does not happen.
  mutating func change(_ count: Int) async throws {
    for _ in 0..<count {
      do {
        try await step()
      } catch is CloudError {
        // The server's rules are not what is tested here.
      }
    }
  }

  private mutating func step() async throws {
    let user = random.chance(3) ? kenji : try mira
    let zoneID = random.pick(Self.zones)
    switch random.below(20) {
    case 0: try await user.privateCloudDatabase.save(RecordZone(zoneID: zoneID))
    case 1 where random.chance(3):
      try await user.privateCloudDatabase.deleteRecordZone(withID: zoneID)
    case 1, 2, 3: try await delete(of: user)
    case 4: try await saveSubscription(user)
    case 5, 6: try await share(user, zoneID)
    case 7: try await changeShare(user)
    case 8: try await save(user.publicCloudDatabase, "Feedback", .default)
    case 9: try await save(user.privateCloudDatabase, "Todo", .default)
    case 10: try await saveUser(user)
    case 11, 12: try await saveShared(user)
    default:
      try await user.privateCloudDatabase.save(RecordZone(zoneID: zoneID))
      try await save(user.privateCloudDatabase, "Note", zoneID)
    }
  }

  private mutating func name() -> String {
    made += 1
    // Old names come again, so that records are changed and made anew.
    return random.chance(3) ? "r\(random.below(made))" : "r\(made)"
  }

  private mutating func save(
    _ database: MockDatabase, _ type: String, _ zoneID: ZoneID
  ) async throws {
    let recordID = RecordID(recordName: name(), zoneID: zoneID)
    let stored = try? await database.record(for: recordID)
    var draft = stored.map { DraftRecord($0) } ?? DraftRecord(recordType: type, recordID: recordID)
    draft["title"] = "Title \(random.below(100))"
    draft["number"] = random.below(1000)
    if database.databaseScope != .public {
      draft.encryptedValues["secret"] = "\(Self.secret) \(random.below(1000))"
    }
    if random.chance(3) {
      let size = random.chance(4) ? 300_000 : random.below(50)
      draft["photo"] = Asset(data: Data(repeating: UInt8(random.below(4)), count: size))
    }
    if random.chance(3), !zoneID.isDefault {
      draft.parent = Reference(
        recordID: RecordID(recordName: "r\(random.below(made))", zoneID: zoneID))
    }
    try await database.save(draft)
  }

  private mutating func saveUser(_ user: MockAccount) async throws {
    let database = user.publicCloudDatabase
    var draft = DraftRecord(try await database.record(for: user.userRecordID()))
    draft["nickname"] = "Nick \(random.below(10))"
    try await database.save(draft)
  }

  private mutating func delete(of user: MockAccount) async throws {
    let scope = random.pick([DatabaseScope.private, .private, .public])
    let zoneID = scope == .public || random.chance(4) ? .default : random.pick(Self.zones)
    let database = user.database(with: scope)
    try await database.deleteRecord(
      withID: RecordID(recordName: "r\(random.below(made + 1))", zoneID: zoneID))
  }

  private mutating func saveSubscription(_ user: MockAccount) async throws {
    let scope = random.pick([DatabaseScope.private, .shared])
    let database = user.database(with: scope)
    if random.chance(3) {
      for subscription in try await database.allSubscriptions() {
        try await database.deleteSubscription(withID: subscription.subscriptionID)
      }
    }
    try await database.save(
      CloudSubscription(
        subscriptionID: "s\(random.below(3))", kind: .database(recordType: nil)))
  }

  // MARK: Sharing

  /// Shares a new record, or a zone, with the other user, who accepts now and then.
  private mutating func share(_ user: MockAccount, _ zoneID: ZoneID) async throws {
    let other = user.userRecordName == "_mira" ? kenji : try mira
    let invited = ShareParticipant(
      permission: random.chance(2) ? .readWrite : .readOnly,
      userIdentity: UserIdentity(userRecordName: other.userRecordName))
    let database = user.privateCloudDatabase
    try await database.save(RecordZone(zoneID: zoneID))
    var drafts: [DraftRecord] = []
    if random.chance(3) {
      drafts = [DraftRecord(sharingZone: zoneID, participants: [invited])]
    } else {
      made += 1
      var root = DraftRecord(
        recordType: "Note", recordID: RecordID(recordName: "r\(made)", zoneID: zoneID))
      root["title"] = "Shared"
      let share = DraftRecord(
        sharing: &root, participants: [invited], recordName: "share\(made)")
      drafts = [root, share]
    }
    let saved = try await database.modifyRecords(saving: drafts, deleting: []).saveResults
    guard !random.chance(4) else { return }
    for case .success(let record) in saved.values {
      guard let url = record.shareInfo?.url else { continue }
      try await other.accept(other.shareMetadata(for: url))
    }
  }

  /// Ends a share, or lets a participant leave it.
  private mutating func changeShare(_ user: MockAccount) async throws {
    let scope = random.pick([DatabaseScope.private, .shared])
    let database = user.database(with: scope)
    for zone in try await database.allRecordZones() where !zone.zoneID.isDefault {
      let changes = try await database.recordZoneChanges(inZoneWith: zone.zoneID, since: nil)
      let shares = changes.modificationResultsByID.keys.sorted()
        .filter { $0.recordName.hasPrefix("share") || $0.recordName == "cloudkit.zoneshare" }
      guard !shares.isEmpty, random.chance(2) else { continue }
      try await database.deleteRecord(withID: random.pick(shares))
    }
  }

  private mutating func saveShared(_ user: MockAccount) async throws {
    let database = user.sharedCloudDatabase
    let zones = try await database.allRecordZones().map(\.zoneID)
    guard !zones.isEmpty else { return }
    try await save(database, "Note", random.pick(zones))
  }
}
