import Foundation
import RecordCoding
import RecordModel
import RecordPlatform
import RecordStore
import TestSupport

/// A random container of personal data, and what in there must not survive.
struct PersonalContainer {
  private var random: SeededGenerator
  private(set) var records: [(database: DatabaseScope, record: ResultRecord)] = []
  /// Texts that must be nowhere in the result.
  private(set) var secrets: Set<String> = []
  private var zones: [RecordZone] = []
  private var users: [String] = []
  private var names: [ZoneID: [String]] = [:]
  private var photos: [String: Data] = [:]
  private var serial: Int64 = 0

  /// The record name of the signed-in user.
  var currentUser: String { users[0] }

  private static let people = [
    "Mirabelle", "Kenjiro", "Inês-Sofia", "Владимира", "Ольгинский", "Wolfeschlegel",
    "Papadopoulos",
    "渡辺健一郎太", "Þorbjörnsdóttir", "O'Shaughnessy",
  ]

  init(_ seed: UInt64) {
    random = SeededGenerator(seed)
    users = (0..<4).map { _ in
      "_" + String(random.next(), radix: 16) + String(random.next(), radix: 16)
    }
    users.append("user:" + Self.people[0])
    for index in 0..<3 {
      let owner = index == 0 ? ZoneID.currentUserOwnerName : random.pick(users)
      zones.append(
        RecordZone(zoneID: ZoneID(zoneName: "Family \(Self.people[index])", ownerName: owner)))
    }
    zones.append(RecordZone(zoneID: .default))
    secrets.formUnion(users)
    secrets.formUnion(Self.people)
    for zone in zones {
      names[zone.zoneID] = (0..<(5 + random.below(20))).map { name($0) }
      secrets.formUnion(names[zone.zoneID] ?? [])
    }
    for zone in zones {
      for name in names[zone.zoneID] ?? [] { add(name, zone.zoneID) }
    }
  }

  private mutating func name(_ number: Int) -> String {
    switch random.below(5) {
    case 0: UUID(random: &random).uuidString
    case 1: UUID(random: &random).uuidString.lowercased()
    case 2: "chat-\(UUID(random: &random).uuidString)"
    case 3: "\(random.pick(Self.people).lowercased())-note-\(number)"
    default: "\(random.pick(Self.people)).\(number)@tact-mail.app"
    }
  }

  private mutating func reference(in zoneID: ZoneID) -> Reference {
    let zone = random.chance(4) ? random.pick(zones).zoneID : zoneID
    let name =
      random.chance(6) ? "gone-forever-\(random.below(9))" : random.pick(names[zone] ?? ["x"])
    return Reference(
      recordID: RecordID(recordName: name, zoneID: zone),
      action: random.chance(2) ? .none : .deleteSelf)
  }

  private mutating func date() -> Date {
    Date(timeIntervalSince1970: Double(1_400_000_000_000 + random.below(300_000_000_000)) / 1000)
  }

  private mutating func secret(_ text: String) -> String {
    secrets.insert(text)
    return text
  }

  private mutating func stamp() -> RecordStamp {
    RecordStamp(
      date: date(), userRecordName: random.pick(users), deviceID: secret("Mirabelles-MacBook"))
  }

  private mutating func add(_ name: String, _ zoneID: ZoneID) {
    serial += 1
    let isShare = serial % 7 == 0 && !zoneID.isDefault
    var system = SystemFields(
      recordID: RecordID(recordName: name, zoneID: zoneID),
      recordType: isShare ? Share.recordType : random.pick(["Chat", "Message"]),
      recordChangeTag: String(serial, radix: 36))
    if !random.chance(5) { system.created = stamp() }
    if !random.chance(5) { system.modified = stamp() }
    if random.chance(2) { system.parent = reference(in: zoneID) }
    if random.chance(4) { system.share = reference(in: zoneID) }
    var fields = [Field(name: "serial", value: .int64(serial))]
    func add(_ name: String, _ value: @autoclosure () -> RecordValue, _ isEncrypted: Bool = false) {
      if random.chance(3) { return }
      fields.append(Field(name: name, value: value(), isEncrypted: isEncrypted))
    }
    let person = random.pick(Self.people)
    add("text", .string(secret("Dear \(person), meet me at Kastanienallee!")), random.chance(2))
    add("texts", .stringList([secret("first-\(person)"), "", secret("Zweiter Absatz")]))
    add("person", .string(person))
    add("mail", .string(secret("\(person.lowercased().filter(\.isASCII))z.k@tact-mail.app")))
    add("phone", .string(secret("+49 170 55\(10000 + random.below(89999))")))
    add("link", .string(secret("https://tact-mail.app/profile/\(random.below(99999))/kastanie")))
    add("uuid", .string(random.pick(names[zoneID] ?? [])))
    add("amount", .int64(Int64(random.below(1_000_000))))
    add("ratio", .double(Double(random.below(1_000_000)) / 1024))
    add("at", .timestamp(date()))
    add("ats", .timestampList([date(), date()]))
    add(
      "place",
      .location(
        Location(latitude: Double(random.below(170)) - 85, longitude: 13.4, timestamp: date())))
    add("bytes", .bytes(Data(secret("bytes of \(person) \(serial)").utf8)))
    add("ref", .reference(reference(in: zoneID)))
    add(
      "refs",
      .referenceList(
        (0..<random.below(4)).map { _ in reference(in: zoneID) } + [reference(in: zoneID)]))
    add("secret", .string(secret("Geheimnis \(serial)")), true)
    add("empty", .emptyList)
    if random.chance(3) { fields.append(photo()) }
    if isShare { system.otherMembers = shareMembers(system.recordID) }
    records.append(
      (
        zoneID.isDefault ? .public : .private,
        ResultRecord(systemFields: system, fields: fields)
      ))
  }

  private mutating func photo() -> Field {
    let data = Data(secret("photo of \(random.pick(Self.people)) \(serial)").utf8)
    let sha256 = data.withUnsafeBytes { SHA256Digest(of: $0).description }
    photos[secret(sha256)] = data
    var asset = Asset(sha256: sha256, size: Int64(data.count))
    asset.fileChecksum = secret("checksum\(random.next())")
    asset.receipt = secret("receipt\(random.next())")
    asset.downloadURL = secret("https://cvws.icloud-content.example.com/\(random.next())")
    asset.wrappingKey = secret("wrapping\(random.next())")
    return Field(name: "photo", value: .asset(asset))
  }

  private mutating func shareMembers(_ recordID: RecordID) -> OtherMembers {
    var draft = DraftRecord(recordType: Share.recordType, recordID: recordID)
    draft.shareInfo = Share(
      participants: (0..<3).map { number in
        let person = Self.people[number]
        return ShareParticipant(
          participantID: secret("participant-\(serial)-\(number)"),
          userIdentity: UserIdentity(
            userRecordName: users[number],
            nameComponents: .init(givenName: person, familyName: Self.people[number + 3]),
            lookupInfo: .init(
              emailAddress: secret("share\(number).\(serial)@tact-mail.app"),
              phoneNumber: secret("+1 555 010 \(1000 + number)"))))
      }, shortGUID: secret("0a1B2c3D4e5F\(serial)"),
      url: URL(string: secret("https://www.icloud.com/share/0a1B2c3D4e5F\(serial)#Kastanienallee")))
    return draft.otherMembers
  }

  func write(to path: String) throws -> ContainerStore {
    var info = ContainerInfo(identifier: "iCloud.test", currentUserRecordName: users[0])
    info.accounts = users.sorted().prefix(3).map {
      ContainerAccount(
        userRecordName: $0, nameComponents: .init(givenName: Self.people[1]),
        lookupInfo: .init(emailAddress: "account@tact-mail.app"))
    }
    try ContainerStore.build(path: path, info: info) { writer in
      for database in [DatabaseScope.public, .private] {
        for zone in zones where (database == .public) == zone.zoneID.isDefault {
          try writer.add(zone, to: database)
        }
      }
      for (database, record) in records { try writer.add(record, to: database) }
      for (sha256, data) in photos {
        try data.withUnsafeBytes {
          try writer.addAssetChunk($0, at: 0, ofAsset: sha256, size: Int64(data.count))
        }
      }
    }
    return try ContainerStore.open(path: path, mode: .readOnly)
  }
}
