import Foundation
import RecordModel
import Testing

@Suite("Filters of records")
struct RecordFilterTests {
  @Test("a filter by record type passes tombstones of these types only, none of unknown type")
  func tombstonesByType() {
    let zone = ZoneID(zoneName: "Chats")
    func tombstone(_ type: String?, deleted: Double? = nil) -> DeletedRecord {
      DeletedRecord(
        recordID: RecordID(recordName: "a", zoneID: zone), recordType: type,
        deletionDate: deleted.map(Date.init(timeIntervalSinceReferenceDate:)))
    }
    let chats = RecordFilter(recordTypes: ["Chat"])
    #expect(chats.contains(tombstone("Chat"), database: .private))
    #expect(!chats.contains(tombstone("Message"), database: .private))
    #expect(!chats.contains(tombstone(nil), database: .private))
    #expect(RecordFilter.all.contains(tombstone(nil), database: .private))
    let here = RecordFilter(databases: [.private], zoneIDs: [zone])
    #expect(here.contains(tombstone(nil), database: .private))
    #expect(!here.contains(tombstone(nil), database: .shared))
    #expect(
      !RecordFilter(zoneIDs: [.default]).contains(tombstone(nil), database: .private))
    let since = RecordFilter(modifiedSince: Date(timeIntervalSinceReferenceDate: 5))
    #expect(since.contains(tombstone(nil, deleted: 5), database: .private))
    #expect(!since.contains(tombstone(nil, deleted: 4), database: .private))
    #expect(since.contains(tombstone(nil), database: .private))
  }
}
