import RecordPlatform
import Foundation
import RecordBundle
import RecordCoding
import RecordModel

/// A bundle with a line of every kind and a field of every type, all members in use.
struct RichBundle {
  private static let ownZone = ZoneID(zoneName: "Chats")
  private static let otherZone = ZoneID(zoneName: "Chats", ownerName: "_c0ffee")

  private let writer: BundleWriter
  private var random = RandomContent(seed: 20)
  private let contents = [
    Data(), Data("foo".utf8), Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }),
  ].map { (sha256: hex($0), data: $0) }.sorted { $0.sha256 < $1.sha256 }

  /// Writes it.
  static func write(
    to path: String, records: Int = 60, options: BundleWriter.Options = .init()
  ) throws -> BundleSummary {
    var info = ContainerInfo(
      identifier: "iCloud.com.example.rich", environment: .production,
      schema: "DEFINE SCHEMA\n", schemaVersion: "7", currentUserRecordName: "_c0ffee")
    info.accounts = accounts
    let writer = try BundleWriter(path: path, container: info, options: options)
    var bundle = RichBundle(writer: writer)
    try bundle.writeZones()
    try bundle.writeSubscriptions()
    try bundle.writeRecords(records)
    try bundle.writeTheRest()
    return try writer.finish()
  }

  private static var accounts: [ContainerAccount] {
    var kenji = ContainerAccount(
      userRecordName: "_kenji", nameComponents: .init(givenName: "Kenji", familyName: "M."),
      lookupInfo: .init(emailAddress: "kenji@example.com", phoneNumber: "+1 555 0100"))
    let mentions = RecordQuery(
      recordType: "Message",
      filters: [
        QueryFilter(
          "chat", .equals,
          .reference(Reference(recordID: RecordID(recordName: "c", zoneID: ownZone))))
      ])
    kenji.subscriptions = [
      .init(
        CloudSubscription(
          subscriptionID: "mentions",
          kind: .query(mentions, zoneID: ownZone, firesOn: [.create], firesOnce: false)),
        to: .private),
      .init(
        CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil)), to: .shared),
    ]
    kenji.otherMembers = [OtherMember(name: "since", value: RawJSON(compact: "2024"))]
    return [ContainerAccount(userRecordName: "_ada"), kenji]
  }

  private init(writer: BundleWriter) { self.writer = writer }

  private mutating func writeZones() throws {
    try writer.write(RecordZone(zoneID: .default), database: .public)
    try writer.write(
      RecordZone(
        zoneID: Self.ownZone,
        share: Reference(
          recordID: RecordID(recordName: Share.zoneWideRecordName, zoneID: Self.ownZone)),
        otherMembers: [
          OtherMember(name: "zoneType", value: RawJSON(compact: "\"REGULAR_CUSTOM_ZONE\""))
        ]), database: .private)
    try writer.write(RecordZone(zoneID: .default), database: .private)
    try writer.write(RecordZone(zoneID: Self.otherZone), database: .shared)
  }

  private mutating func writeSubscriptions() throws {
    var info = NotificationInfo(
      alertBody: "New: %1$@", soundName: "default", desiredKeys: ["text"], shouldBadge: true,
      shouldSendContentAvailable: true)
    info.alertLocalizationArgs = ["text"]
    info.titleLocalizationKey = "TITLE"
    info.collapseIDKey = "chat"
    let query = RecordQuery(
      recordType: "Message",
      filters: [
        QueryFilter("chat", .equals, .reference(random.reference(from: .default))),
        QueryFilter("place", .near, .location(random.location()), distance: 100.5),
        QueryFilter("name", .in, .stringList(["a", "b"])),
      ],
      sort: [
        QuerySort("___createTime", ascending: false),
        QuerySort("place", relativeLocation: random.location()),
      ])
    try writer.write(
      CloudSubscription(
        subscriptionID: "1", kind: .database(recordType: "Chat"), notificationInfo: info),
      database: .private)
    try writer.write(
      CloudSubscription(
        subscriptionID: "2",
        kind: .query(query, zoneID: nil, firesOn: [.delete, .create], firesOnce: true),
        notificationInfo: NotificationInfo()), database: .private)
    try writer.write(
      CloudSubscription(
        subscriptionID: "3",
        kind: .query(
          RecordQuery(recordType: "Chat"), zoneID: Self.ownZone, firesOn: [.update],
          firesOnce: false),
        otherMembers: [OtherMember(name: "future", value: .null)]), database: .private)
    try writer.write(
      CloudSubscription(subscriptionID: "4", kind: .zone(Self.otherZone, recordType: nil)),
      database: .shared)
  }

  private mutating func writeRecords(_ count: Int) throws {
    for (zoneID, database) in [(ZoneID.default, DatabaseScope.public), (Self.ownZone, .private)] {
      var names = Set((0..<count / 2).map { _ in random.uuid() })
      names.formUnion(["plain", "with \"quotes\"", "ünïcode", "line\nfeed"])
      for name in names.sorted(by: { compareUTF8($0, $1) < 0 }) {
        let recordID = RecordID(recordName: name, zoneID: zoneID)
        try writer.write(record(recordID), database: database)
      }
    }
    let shareID = RecordID(recordName: "share", zoneID: Self.ownZone)
    var share = DraftRecord(recordType: Share.recordType, recordID: shareID)
    let owner = ShareParticipant(
      participantID: "p1", role: .owner, permission: .readWrite, acceptanceStatus: .accepted,
      userIdentity: UserIdentity(
        userRecordName: "_c0ffee",
        nameComponents: UserIdentity.NameComponents(givenName: "Mira"),
        lookupInfo: UserIdentity.LookupInfo(emailAddress: "mira@example.com")))
    share[Share.titleKey] = "Tea"
    share.shareInfo = Share(
      publicPermission: .readOnly, participants: [owner], owner: owner,
      currentUserParticipant: owner, shortGUID: "0abc", link: "https://www.example.com/share/0abc")
    try writer.write(share.resultRecord(), database: .private)
  }

  /// A record with fields of all types, of some, or none.
  private mutating func record(_ recordID: RecordID) -> ResultRecord {
    let assets =
      contents.map { Asset(sha256: $0.sha256, size: Int64($0.data.count)) } + [
        Asset(
          size: 12, fileChecksum: "AAEC", referenceChecksum: "AwQ=", wrappingKey: "BQ==",
          receipt: "Bg==", downloadURL: "https://www.example.com/${f}",
          otherMembers: random.others())
      ]
    var fields: [Field] = []
    for type in ValueType.allCases where random.below(5) > 0 {
      let value = random.value(type, in: recordID.zoneID, assets: assets)
      fields.append(
        Field(
          name: "f_\(type.rawValue.lowercased())", value: value,
          isEncrypted: value.isEncryptable && random.below(4) == 0, otherMembers: random.others()))
    }
    if random.below(4) == 0 {
      fields.append(
        Field(name: "Z", value: .unknown(type: "FUTURE", json: RawJSON(compact: "[1.0,{}]"))))
    }
    let stamp = RecordStamp(
      date: random.date(), userRecordName: "_c0ffee",
      deviceID: random.below(2) == 0 ? "phone" : nil, otherMembers: random.others())
    return ResultRecord(
      systemFields: SystemFields(
        recordID: recordID, recordType: "Everything",
        recordChangeTag: random.below(5) > 0 ? "a\(random.below(99))" : nil,
        created: random.below(5) > 0 ? stamp : nil, modified: stamp,
        parent: random.below(2) == 0 ? random.reference(from: recordID.zoneID) : nil,
        share: random.below(4) == 0 ? random.reference(from: recordID.zoneID) : nil,
        otherMembers: random.others()), fields: fields)
  }

  private mutating func writeTheRest() throws {
    for name in ["a", "b"] {
      try writer.write(
        DeletedRecord(
          recordID: RecordID(recordName: name, zoneID: Self.ownZone),
          recordType: name == "a" ? "Message" : nil,
          recordChangeTag: name == "b" ? "2k" : nil,
          deletionDate: name == "b" ? random.date() : nil), database: .private)
    }
    try writer.write(
      DeletedZone(zoneID: ZoneID(zoneName: "Purged"), reason: .purged), database: .private)
    try writer.write(DeletedZone(zoneID: ZoneID(zoneName: "Scraps")), database: .private)
    for (sha256, data) in contents {
      for offset in stride(from: 0, to: max(1, data.count), by: AssetChunk.size) {
        try data[offset..<min(data.count, offset + AssetChunk.size)].withUnsafeBytes {
          try writer.writeAssetChunk(
            sha256: sha256, assetSize: data.count, offset: offset, bytes: $0)
        }
      }
    }
  }

  private static func hex(_ data: Data) -> String {
    data.withUnsafeBytes { SHA256Digest(of: $0).description }
  }
}
