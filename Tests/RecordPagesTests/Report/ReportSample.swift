import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordStore
import StoreTestSupport
import Synchronization
import TestSupport

/// A time that a test sets.
final class TestClock: Sendable {
  private let date: Mutex<Date>

  /// - Parameter day: The number of days since 1970-01-01.
  init(day: Int) { date = Mutex(Date(timeIntervalSince1970: Double(day) * 86_400 + 3600)) }

  var now: Date { date.withLock { $0 } }
  func set(day: Int) {
    date.withLock { $0 = Date(timeIntervalSince1970: Double(day) * 86_400 + 3600) }
  }
}

/// Containers whose numbers are known.
enum ReportSample {
  static let zone = ZoneID(zoneName: "Family Smith")
  /// What stands in values, and must not be in a report.
  static let secrets = [
    "Hello Jane", "my-hidden-word", "Our holidays", "4711.25", "jane@example.com",
  ]

  static let schema = """
    DEFINE SCHEMA
        RECORD TYPE Chat (title STRING, photo ASSET, unused LIST<STRING>);
        RECORD TYPE Message (text ENCRYPTED STRING, number INT64, tags LIST<STRING>);
    """

  /// One chat with an asset of 4 bytes, five messages on two days, one of which is deleted, a share
  /// with two participants, a record of the public database, a subscription.
  static func container() throws -> ContainerStore {
    let clock = TestClock(day: 20_103)  // 2025-01-15
    let container = try ContainerStore.inMemory(
      info: ContainerInfo(
        identifier: "iCloud.com.example.tact", environment: .production, schema: schema,
        currentUserRecordName: "_smith"),
      now: { clock.now })
    let database = container.database(.private)
    try database.save([RecordZone(zoneID: zone)])
    var chat = DraftRecord(
      recordType: "Chat", recordID: RecordID(recordName: "holiday-chat", zoneID: zone))
    chat["title"] = "Our holidays"
    chat["photo"] = Asset(data: Data("test".utf8))
    try database.save([chat] + (0..<3).map(message), savingAs: "_smith")
    clock.set(day: 20_148)  // 2025-03-01
    try database.save((3..<5).map(message), savingAs: "_jane")
    try database.save([share()], savingAs: "_smith")
    _ = try database.deleteRecords([RecordID(recordName: "message-4", zoneID: zone)])
    try database.save([
      CloudSubscription(
        subscriptionID: "jane@example.com",
        kind: .query(
          RecordQuery(
            recordType: "Message", filters: [QueryFilter("text", .equals, .string("Hello Jane"))]),
          zoneID: zone, firesOn: [.create], firesOnce: false))
    ])
    var feedback = DraftRecord(recordType: "Feedback", recordID: RecordID(recordName: "f"))
    feedback["score"] = 4711.25
    try container.database(.public).save([feedback], savingAs: "_jane")
    return container
  }

  private static func message(_ number: Int) -> DraftRecord {
    var message = DraftRecord(
      recordType: "Message", recordID: RecordID(recordName: "message-\(number)", zoneID: zone))
    // 10 bytes, and from the second on 24.
    message.encryptedValues["text"] = number == 0 ? "Hello Jane" : "Hello Jane, my-hidden-wo"
    message["number"] = number
    if number == 1 { message["tags"] = ["my-hidden-word", "b", "c"] }
    return message
  }

  private static func share() -> DraftRecord {
    var share = DraftRecord(
      recordType: Share.recordType, recordID: RecordID(recordName: "share-1", zoneID: zone))
    share["cloudkit.title"] = "Our holidays"
    let owner = ShareParticipant(
      role: .owner, permission: .readWrite, acceptanceStatus: .accepted,
      userIdentity: UserIdentity(userRecordName: "_smith"))
    let guest = ShareParticipant(
      userIdentity: UserIdentity(lookupInfo: .init(emailAddress: "jane@example.com")))
    share.shareInfo = Share(publicPermission: .readOnly, participants: [owner, guest])
    return share
  }

  /// The container as a bundle in a folder.
  static func bundle(of container: ContainerStore, in folder: TestFolder) throws -> ArchiveSource {
    let path = folder.path("a.recordpack")
    try Archiver().export(container, to: path)
    return try ArchiveSource.open([path])
  }
}
