import Foundation
import RecordCoding
import RecordModel
import Testing

@testable import RecordStore

/// Users, zones and subscriptions that cannot be read.
@Suite("Metadata that cannot be read")
struct UnreadableMetadataTests {
  struct Write: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (ContainerTransaction) throws -> Void

    init(_ description: String, _ run: @escaping @Sendable (ContainerTransaction) throws -> Void) {
      testDescription = description
      self.run = run
    }
  }

  private static func subscription(_ value: RecordValue, id: String = "s") -> CloudSubscription {
    var query = RecordQuery(recordType: "Note")
    query.filters = [QueryFilter("a", .equals, value)]
    return CloudSubscription(
      subscriptionID: id, kind: .query(query, zoneID: nil, firesOn: [.create], firesOnce: false))
  }

  private static func zone(_ member: String, _ value: RawJSON) -> RecordZone {
    var zone = RecordZone(zoneName: "Odd")
    zone.otherMembers.set(member, to: value)
    return zone
  }

  private static let nothing = RecordValue.unknown(type: "", json: .null)

  private static func info(_ accounts: [ContainerAccount]) -> ContainerInfo {
    var info = ContainerInfo(identifier: "iCloud.a", currentUserRecordName: "_anna")
    info.accounts = accounts
    return info
  }

  static let writes = [
    Write("a subscription whose filter has no value") {
      try $0.save(subscription(nothing), in: .public)
    },
    Write("a subscription without an identifier") {
      try $0.write(
        CloudSubscription(subscriptionID: "", kind: .database(recordType: nil)), in: .private)
    },
    Write("a zone with a member that lines of bundles have") {
      try $0.save(zone("kind", .init(compact: "1")), in: .private)
    },
    Write("a zone with a member that is no JSON") {
      try $0.save(zone("x", .init(compact: "{")), in: .private)
    },
    Write("users in another order") {
      try $0.setInfo(
        info([ContainerAccount(userRecordName: "_z"), ContainerAccount(userRecordName: "_a")]))
    },
    Write("a user twice") {
      try $0.setInfo(
        info([ContainerAccount(userRecordName: "_a"), ContainerAccount(userRecordName: "_a")]))
    },
    Write("a user without a name") {
      try $0.setInfo(info([ContainerAccount(userRecordName: "")]))
    },
    Write("a user's subscription whose filter has no value") {
      var account = ContainerAccount(userRecordName: "_a")
      account.subscriptions = [.init(subscription(nothing), to: .public)]
      try $0.setInfo(info([account]))
    },
    Write("other members that are no JSON") {
      var info = info([])
      info.otherMembers.set("x", to: .init(compact: "{"))
      try $0.setInfo(info)
    },
    Write("a share whose participants are none") {
      var system = SystemFields(
        recordID: RecordID(recordName: "share", zoneID: ZoneID(zoneName: "Notes")),
        recordType: Share.recordType)
      system.otherMembers.set("participants", to: .init(compact: "7"))
      let record = ResultRecord(systemFields: system, fields: [])
      _ = try $0.save(record, over: nil, in: .private, stampedBy: $0.stamp())
    },
  ]

  @Test(
    "is never stored: the write is an error, and the transaction changes nothing", arguments: writes
  )
  func neverStored(_ write: Write) throws {
    let container = try ContainerStore.test()
    try container.setInfo(Self.info([ContainerAccount(userRecordName: "_a")]))
    let before = try container.snapshot { try contents($0) }
    let error = #expect(throws: CloudError.self) {
      try container.transaction { transaction in
        try transaction.save([note("new")], in: .private)
        try write.run(transaction)
      }
    }
    #expect(error?.code == .invalidArguments, "\(String(describing: error))")
    #expect(error?.message.contains("cannot be stored") == true)
    #expect(try container.snapshot { try contents($0) } == before)
    #expect(try container.verify { _ in }.isIntact)
  }

  private func contents(_ snapshot: ContainerSnapshot) throws -> [AnyHashable] {
    var contents: [AnyHashable] = [try snapshot.info()]
    for scope in DatabaseScope.allCases {
      contents += [
        try snapshot.zones(in: scope), try snapshot.subscriptions(in: scope),
        try snapshot.lastChange(in: scope),
      ]
    }
    return contents
  }

  // MARK: Damage

  struct Damage: Sendable, CustomTestStringConvertible {
    let sql: String
    /// Words of the error.
    let name: String
    var testDescription: String { sql }
  }

  private static let garbage = "json = CAST('garbage' AS BLOB)"

  static let damages = [
    Damage(sql: "UPDATE zone SET \(garbage) WHERE name = 'Notes'", name: "zone 'Notes"),
    Damage(sql: "UPDATE zone SET firstChange = 7 WHERE name = 'Notes'", name: "zone 'Notes"),
    Damage(sql: "UPDATE subscription SET \(garbage) WHERE id = 's'", name: "subscription 's'"),
    Damage(sql: "UPDATE subscription SET hash = 7 WHERE id = 's'", name: "subscription 's'"),
    Damage(
      sql: "UPDATE setting SET value = 'x', hash = hash + 1 WHERE name = 'accounts'",
      name: "the list of users"),
    Damage(
      sql:
        "UPDATE setting SET value = replace(value, '_b', '_B'), hash = 1 WHERE name = 'accounts'",
      name: "the list of users"),
  ]

  private func container() throws -> ContainerStore {
    let container = try ContainerStore.test()
    try container.setInfo(
      Self.info([
        ContainerAccount(userRecordName: "_a"), ContainerAccount(userRecordName: "_b"),
      ]))
    try container.transaction {
      try $0.save(Self.subscription(.string("x")), in: .private)
      try $0.save(Self.subscription(.string("y"), id: "t"), in: .private)
    }
    try container.database(.private).save([note("one")])
    return container
  }

  @Test("is an error of its own: all else can be read, and verify names it", arguments: damages)
  func damage(_ damage: Damage) throws {
    let container = try container()
    try container.transaction { try $0.db.execute(damage.sql) }
    try container.snapshot { snapshot in
      let errors = try snapshot.damagedMetadata()
      #expect(!errors.isEmpty && errors.allSatisfy(\.isOfItem))
      #expect(errors.first?.description.contains(damage.name) == true, "\(errors)")
      #expect(try snapshot.info().identifier == "iCloud.a")
      let zones = try snapshot.zones(in: .private, damaged: { _ in }).map(\.zoneID.zoneName)
      #expect(zones.contains("Notes") && zones.contains("_defaultZone"))
      let subscriptions = try snapshot.subscriptions(in: .private, damaged: { _ in })
      #expect(subscriptions.map(\.subscriptionID).contains("t"))
      #expect(try snapshot.record(for: note("one").recordID, in: .private) != nil)
    }
    var found: [String] = []
    let report = try container.verify { found.append("\($0.place): \($0.problem)") }
    #expect(!report.isIntact)
    #expect(found.contains { $0.contains(damage.name) }, "\(found)")
    // Another zone can be saved to.
    try container.transaction { try $0.save(RecordZone(zoneName: "Other"), in: .private) }
    _ = try container.transaction {
      try $0.save(
        [
          DraftRecord(
            recordType: "Note",
            recordID: RecordID(recordName: "x", zoneID: ZoneID(zoneName: "Other")))
        ],
        in: .private)
    }
  }

  @Test("is replaced or deleted, and the container is intact again", arguments: damages)
  func remedies(_ damage: Damage) throws {
    for isDeleted in [false, true] {
      let container = try container()
      try container.transaction { try $0.db.execute(damage.sql) }
      try container.transaction { transaction in
        switch (damage.name, isDeleted) {
        case ("zone 'Notes", false):
          try transaction.save(RecordZone(zoneName: "Notes"), in: .private)
        case ("zone 'Notes", true):
          try transaction.deleteZone(ZoneID(zoneName: "Notes"), in: .private)
        case ("subscription 's'", false):
          try transaction.save(Self.subscription(.string("z")), in: .private)
        case ("subscription 's'", true): try transaction.deleteSubscription("s", in: .private)
        default:
          var info = try transaction.info()
          if !isDeleted {
            info.accounts = [
              ContainerAccount(userRecordName: "_a"), ContainerAccount(userRecordName: "_b"),
            ]
          }
          try transaction.setInfo(info, replacingDamage: true)
        }
      }
      var found: [String] = []
      _ = try container.verify { found.append("\($0.place): \($0.problem)") }
      #expect(found.isEmpty, "\(found)")
      #expect(try container.snapshot { try $0.damagedMetadata() }.isEmpty)
    }
  }

  @Test("as the list of users, stays as it is while other metadata is changed")
  func users() throws {
    let container = try container()
    try container.transaction {
      try $0.db.execute("UPDATE setting SET value = 'x', hash = hash + 1 WHERE name = 'accounts'")
    }
    var info = try container.info()
    #expect(info.accounts.isEmpty)
    info.schemaVersion = "2"
    try container.setInfo(info)
    #expect(try container.info().schemaVersion == "2")
    let stored = try container.transaction {
      try $0.db.first("SELECT value FROM setting WHERE name = 'accounts'") { $0.string(0) }
    }
    #expect(stored == "x")
    info.accounts = [ContainerAccount(userRecordName: "_new")]
    let changed = info
    #expect(throws: ContainerStoreError.self) { try container.setInfo(changed) }
  }

  @Test("as one subscription of a user, leaves the user and the other subscriptions")
  func subscriptionOfUser() throws {
    let container = try container()
    let accounts =
      #"[{"userRecordName":"_a","subscriptions":[{"database":"public","subscriptionID":"bad","subscriptionType":"query","query":{"recordType":"Note","filterBy":[{"comparator":"EQUALS","fieldName":"a","fieldValue":{"type":"","value":null}}]},"firesOn":["create"]},{"database":"private","subscriptionID":"good","subscriptionType":"database"}]},{"userRecordName":"_b"}]"#
    try container.transaction {
      try $0.db.runHashed(
        "INSERT OR REPLACE INTO setting (name, value, hash) VALUES (?, ?, ?)",
        ["accounts", accounts])
    }
    let info = try container.info()
    #expect(info.accounts.map(\.userRecordName) == ["_a", "_b"])
    #expect(info.accounts[0].subscriptions.map(\.subscription.subscriptionID) == ["good"])
    let errors = try container.snapshot { try $0.damagedMetadata() }
    #expect(errors.count == 1)
    #expect(errors.first?.description.contains("subscription 'bad' of the user '_a'") == true)
  }
}
