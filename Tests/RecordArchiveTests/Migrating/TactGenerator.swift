import Foundation
import RecordStore
import RecordBundle
import RecordMigration
import RecordModel

@testable import RecordArchive

/// Records of the chat app Tact as version 1 wrote them.
enum TactGenerator {
  static let chats = ZoneID(zoneName: "Chats")

  /// The folder of Tact's schemas and plans.
  static let folder = Place.inPackage("Schemas/Tact")

  static func info(_ version: String) throws -> ContainerInfo {
    ContainerInfo(
      identifier: "iCloud.com.example.tact", environment: .development,
      schema: try String(contentsOfFile: "\(folder)/\(version).ckdb", encoding: .utf8),
      schemaVersion: version, currentUserRecordName: "_6d697261000000000000000000000001")
  }

  /// Writes a bundle in the order of its format, record by record.
  ///
  /// - Parameter odd: also writes what later versions have trouble with.
  static func writeVersion1(
    to path: String, chats count: Int, messagesPerChat: Int, seed: UInt64 = 1, odd: Bool = true
  ) throws {
    let writer = try BundleWriter(path: path, container: try info("v1"))
    try writer.write(RecordZone(zoneID: .default), database: .public)
    try writer.write(RecordZone(zoneID: chats), database: .private)
    try writer.write(RecordZone(zoneID: .default), database: .private)
    try writer.write(
      CloudSubscription(
        subscriptionID: "new-messages",
        kind: .query(
          RecordQuery(recordType: "Message"), zoneID: chats, firesOn: [.create], firesOnce: false)),
      database: .private)
    var random = SeededGenerator(seed)
    for number in 0..<count {
      try writer.write(chat(number, messagesPerChat, odd, &random), database: .private)
    }
    for number in 0..<count {
      for index in 0..<messagesPerChat {
        try writer.write(message(index, of: number, odd, &random), database: .private)
      }
    }
    for number in stride(from: 0, to: count, by: 3) {
      try writer.write(privateName(number), database: .private)
    }
    for number in 0..<count { try writer.write(marker(number, &random), database: .private) }
    try writer.write(
      DeletedRecord(
        recordID: RecordID(recordName: "chat-gone", zoneID: chats), recordType: "Chat",
        deletionDate: Date(timeIntervalSinceReferenceDate: 700_000_000)), database: .private)
    _ = try writer.finish()
  }

  private static func digits(_ number: Int, _ width: Int = 6) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  private static func record(
    _ type: String, _ name: String, _ number: Int, _ fields: [Field]
  ) -> ResultRecord {
    let stamp = RecordStamp(
      date: Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(number)),
      userRecordName: "_6d697261000000000000000000000001", deviceID: "MIRAS-PHONE")
    return ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: chats), recordType: type,
        recordChangeTag: String(number + 1, radix: 36), created: stamp, modified: stamp),
      fields: fields)
  }

  private static func reference(toChat number: Int) -> RecordValue {
    .reference(Reference(recordID: RecordID(recordName: "chat-\(digits(number))", zoneID: chats)))
  }

  private static func chat(
    _ number: Int, _ messages: Int, _ odd: Bool, _ random: inout SeededGenerator
  ) -> ResultRecord {
    let count = odd && number % 5 == 4 ? "many" : String(messages)
    return record(
      "Chat", "chat-\(digits(number))", number,
      [
        Field(name: "title", value: .string("Chat \(random.below(1000))")),
        Field(name: "memberNames", value: .stringList(["Mira", "Kenji", "Inês"])),
        Field(name: "messageCount", value: .string(count)),
      ])
  }

  private static let phrases = [
    "Are you coming?", "I found the map!", "Has anybody seen my blue scarf?", "Good morning ☀️",
    "雨が降りそうです。", "See you at the \"old\" bridge", "Two tickets left", "Around seven?",
  ]

  private static func message(
    _ index: Int, of chat: Int, _ odd: Bool, _ random: inout SeededGenerator
  ) -> ResultRecord {
    var fields = [
      Field(name: "chat", value: reference(toChat: chat)),
      Field(
        name: "text",
        value: .string("\(phrases[random.below(phrases.count)]) \(random.below(100_000))")),
      Field(
        name: "sentAt",
        value: .timestamp(
          Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(chat * 1000 + index)))),
    ]
    if odd, index % 10 == 3 {
      let size = 24 + random.below(40)
      let bytes = (0..<size).map { _ in UInt8(random.below(256)) }
      fields.append(Field(name: "attachment", value: .bytes(Data(bytes))))
    }
    return record("Message", "message-\(digits(chat))-\(digits(index))", index, fields)
  }

  private static func privateName(_ number: Int) -> ResultRecord {
    record(
      "PrivateName", "name-\(digits(number))", number,
      [
        Field(name: "chat", value: reference(toChat: number)),
        Field(name: "title", value: .string("My \(number)")),
      ])
  }

  private static func marker(_ number: Int, _ random: inout SeededGenerator) -> ResultRecord {
    record(
      "ReadMarker", "read-\(digits(number))", number,
      [
        Field(name: "chat", value: reference(toChat: number)),
        Field(
          name: "readUpTo",
          value: .timestamp(
            Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(random.below(100_000))))),
      ])
  }
}
