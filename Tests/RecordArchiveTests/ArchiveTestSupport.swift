import Foundation
import RecordStore
import RecordBundle
import RecordModel
import StoreTestSupport
import Testing

@testable import RecordArchive

// Every file of these tests uses it.
@_exported import TestSupport

func bytes(of path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

/// A container with everything in it that a container can hold.
enum SampleContainer {
  static let chats = ZoneID(zoneName: "Chats")

  static func make(
    at path: String, messages: Int = 40
  ) throws -> ContainerStore {
    let container = try ContainerStore.open(
      path: path, mode: .create,
      info: ContainerInfo(
        identifier: "iCloud.com.example.tact", environment: .development,
        schema: "DEFINE SCHEMA\n", currentUserRecordName: "_me"),
      now: { Date(timeIntervalSinceReferenceDate: 700_000_000.25) })
    let database = container.database(.private)
    try database.save([RecordZone(zoneID: chats), RecordZone(zoneName: "Empty")])
    try database.save(drafts(messages))
    try database.save([
      CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil)),
      CloudSubscription(
        subscriptionID: "hello",
        kind: .query(
          RecordQuery(
            recordType: "Message", filters: [QueryFilter("text", .beginsWith, .string("H"))]),
          zoneID: chats, firesOn: [.create], firesOnce: false)),
    ])
    _ = try database.deleteRecords([RecordID(recordName: "message-1", zoneID: chats)])
    try database.save([RecordZone(zoneName: "Doomed")])
    try database.deleteZone(ZoneID(zoneName: "Doomed"))
    var feedback = DraftRecord(
      recordType: "Feedback", recordID: RecordID(recordName: "f \"1\" \\ x"))
    feedback["text"] = "public “text”"
    _ = try container.database(.public).save([feedback])
    return container
  }

  private static func drafts(_ count: Int) throws -> [DraftRecord] {
    var chat = DraftRecord(
      recordType: "Chat", recordID: RecordID(recordName: "chat", zoneID: chats))
    chat["title"] = "A chat"
    var drafts = [chat]
    for number in 0..<count {
      var message = DraftRecord(
        recordType: "Message", recordID: RecordID(recordName: "message-\(number)", zoneID: chats))
      message["text"] = "Hello \(number)"
      message["sent"] = Date(timeIntervalSinceReferenceDate: Double(number) / 3)
      message["number"] = number
      message["relatedRecords"] = [Reference(record: chat)]
      message.encryptedValues["secret"] = "hidden \(number)"
      message.parent = Reference(record: chat)
      if number % 10 == 0 {
        message["photo"] = Asset(
          data: Data(repeating: UInt8(truncatingIfNeeded: number), count: 300_000 + number))
      }
      drafts.append(message)
    }
    return drafts
  }

  /// All differences between two sources, in words.
  static func differences(_ first: ArchiveSource, _ second: ArchiveSource) throws -> [String] {
    var found: [String] = []
    let difference = try ArchiveComparison(first, second).run { found.append("\($0)") }
    #expect(difference.isEmpty == found.isEmpty)
    return found
  }
}
