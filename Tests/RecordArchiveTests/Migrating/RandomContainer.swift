import Foundation
import RecordStore
import RecordMigration
import RecordModel

@testable import RecordArchive

/// Records of several types, zones and databases that refer to each other.
struct RandomContainer {
  static let zones = ["Chats", "Archive"].map { ZoneID(zoneName: $0) }

  private(set) var records: [(database: DatabaseScope, record: ResultRecord)] = []

  init(of count: Int, _ random: inout SeededGenerator) {
    for number in 0..<count {
      let zoneID = Self.zones[random.below(4) == 0 ? 1 : 0]
      switch random.below(8) {
      case 0, 1: add(chat(number, zoneID, &random))
      case 2, 3, 4, 5: add(message(number, zoneID, count, &random))
      case 6: add(mark(number, zoneID, count, &random))
      default:
        let fields = [Field(name: "text", value: .string("public \(number)"))]
        add(Self.record("Feedback", number, .default, fields), to: .public)
      }
    }
  }

  private mutating func add(_ record: ResultRecord, to database: DatabaseScope = .private) {
    records.append((database, record))
  }

  private static func name(_ number: Int) -> String { "r\(number)" }

  private static func record(
    _ type: String, _ number: Int, _ zoneID: ZoneID, parent: Reference? = nil, _ fields: [Field]
  ) -> ResultRecord {
    let stamp = RecordStamp(
      date: Date(timeIntervalSinceReferenceDate: Double(number)), userRecordName: "_me")
    return ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name(number), zoneID: zoneID), recordType: type,
        recordChangeTag: String(number + 1, radix: 36), created: stamp, modified: stamp,
        parent: parent),
      fields: fields)
  }

  /// To any record; to none now and then.
  private func target(_ count: Int, _ random: inout SeededGenerator) -> Reference {
    let name = random.below(20) == 0 ? "nobody" : Self.name(random.below(count))
    return Reference(
      recordID: RecordID(recordName: name, zoneID: Self.zones[random.below(4) == 0 ? 1 : 0]),
      action: random.below(3) == 0 ? .deleteSelf : .none)
  }

  private func chat(_ number: Int, _ zoneID: ZoneID, _ random: inout SeededGenerator)
    -> ResultRecord
  {
    let counts = ["3", "12", "many", "007"]
    return Self.record(
      "Chat", number, zoneID,
      [
        Field(name: "title", value: .string("Chat, \(number)")),
        Field(name: "count", value: .string(counts[random.below(counts.count)])),
        Field(name: "tags", value: .stringList((0..<random.below(3)).map { "tag\($0)" })),
        Field(name: "secret", value: .string("hidden"), isEncrypted: true),
      ])
  }

  private func message(
    _ number: Int, _ zoneID: ZoneID, _ count: Int, _ random: inout SeededGenerator
  ) -> ResultRecord {
    var fields = [
      Field(name: "chat", value: .reference(target(count, &random))),
      Field(
        name: "related",
        value: .referenceList((0..<random.below(3)).map { _ in target(count, &random) })),
      Field(name: "text", value: .string(String(repeating: "word \(number) ", count: 5))),
      Field(
        name: "sentAt", value: .timestamp(Date(timeIntervalSinceReferenceDate: Double(number) / 4))),
    ]
    if random.below(3) == 0 {
      fields.append(Field(name: "photo", value: .bytes(Data([UInt8(number & 7), 1, 2]))))
    }
    let parent = target(count, &random).recordID
    return Self.record(
      "Message", number, zoneID,
      parent: parent.zoneID == zoneID ? Reference(recordID: parent) : nil, fields)
  }

  private func mark(
    _ number: Int, _ zoneID: ZoneID, _ count: Int, _ random: inout SeededGenerator
  ) -> ResultRecord {
    Self.record(
      "Mark", number, zoneID,
      [
        Field(name: "chat", value: .reference(target(count, &random))),
        Field(name: "value", value: .int64(Int64(random.below(100)))),
      ])
  }

  /// Writes a bundle of the records that pass.
  func write(
    to path: String, frameSize: Int, where passes: (ResultRecord) -> Bool = { _ in true }
  ) throws {
    let container = path + ".sqlite"
    let info = ContainerInfo(
      identifier: "iCloud.com.example.chats", environment: .development, schemaVersion: "1")
    try ContainerStore.build(path: container, info: info) { writer in
      for zone in Self.zones { try writer.add(RecordZone(zoneID: zone), to: .private) }
      for (database, record) in records where passes(record) {
        try writer.add(record, to: database)
      }
    }
    var archiver = Archiver()
    archiver.bundleOptions.frameSize = frameSize
    try archiver.export(ContainerStore.open(path: container), to: path)
  }

  /// Steps of a random plan; none ends with an error.
  static func steps(_ random: inout SeededGenerator, changingIdentity: Bool) throws
    -> [MigrationStep]
  {
    func condition(_ source: String) throws -> RecordExpression? {
      random.below(2) == 0 ? try RecordExpression(source) : nil
    }
    let shouting = MigrationAction.CustomStep("shout", changesIdentity: false) { draft in
      var louder = draft
      guard let text: String = draft["text"] else { return [draft] }
      louder["text"] = text.uppercased()
      return [louder]
    }
    var pool = [
      MigrationStep("Message", .custom(shouting), misfit: .skip),
      MigrationStep("Chat", .renameField("title", to: "name"), misfit: .skip),
      MigrationStep(
        "Chat", .convert("count", Conversion(to: .int64, from: .string)),
        misfit: .keep(in: "countText")),
      MigrationStep(
        "Chat", .addField("a", .expression(try RecordExpression("part(title, ', ', 0)"))),
        misfit: .null),
      MigrationStep("Chat", .renameType(to: "Room"), where: try condition("length(tags) > 0")),
      MigrationStep(
        .init(["Message", "Mark"]), .mergeTypes(into: "Item", discriminator: "kind"),
        misfit: .skip),
      MigrationStep("Chat", .decrypt("secret"), misfit: .skip),
      MigrationStep("Message", .encrypt("text"), misfit: .skip),
      MigrationStep(
        "Message", .convert("photo", Conversion(to: .asset, from: .bytes)), misfit: .skip),
      MigrationStep("Message", .setParent(from: "chat"), misfit: .null),
      MigrationStep("Message", .clearParent, where: try condition("length(related) == 1")),
      MigrationStep("Mark", .leaveBehind, where: try RecordExpression("field('value') % 7 == 0")),
      MigrationStep(
        "Message", .addField("first", .expression(try RecordExpression("name(first(related))"))),
        misfit: .null),
      MigrationStep(
        "Mark", .convert("value", Conversion(to: .double, from: .int64)), misfit: .skip),
      MigrationStep(
        .init(nil), .dropField("text"), where: try RecordExpression("database == 'public'")),
      MigrationStep(
        .init(["Chat", "Room"]),
        .splitList(
          "tags", into: .init("Tag", backReference: "chat", action: .deleteSelf), as: "text",
          position: "order"), where: try condition("length(tags) == 1"), misfit: .skip),
      MigrationStep(
        "Message",
        .splitRecord(["text", "photo"], into: .init("Body", setsParent: true), reference: "body"),
        misfit: .skip),
    ]
    if changingIdentity {
      let echo = MigrationAction.CustomStep("echo") { draft in
        let name = draft.recordID.recordName + "-echo"
        var copy = DraftRecord(
          recordType: "Echo",
          recordID: RecordID(recordName: name, zoneID: draft.recordID.zoneID))
        copy["of"] = Reference(recordID: draft.recordID)
        copy["isEchoed"] = 1
        guard draft["isEchoed"] == nil else { return [draft] }
        var original = draft
        original["isEchoed"] = 1
        return [original, copy]
      }
      pool += [
        MigrationStep("Mark", .custom(echo), misfit: .skip),
        MigrationStep("Tag", .renameRecords(try RecordExpression("'tag-' + recordName"))),
        MigrationStep(
          .init(["Message", "Mark"]),
          .lookUp("chatTitle", through: "chat", of: "Chat", from: "title"), misfit: .null),
        MigrationStep(
          "Message", .move(to: zones[1], from: zones[0]),
          where: try condition("length(related) > 0"), misfit: .skip),
        MigrationStep("Chat", .move(to: ZoneID(zoneName: "Rooms"), from: zones[0]), misfit: .skip),
        MigrationStep(
          "Chat", .renameRecords(try RecordExpression("'chat-' + recordName")), misfit: .skip),
        MigrationStep(
          .init(["Message", "Mark"]), .renameRecords(try RecordExpression("recordName + '-x'")),
          where: try condition("zoneName == 'Chats'"), misfit: .skip),
      ]
    }
    return (0..<3 + random.below(4)).map { _ in pool[random.below(pool.count)] }
  }
}
