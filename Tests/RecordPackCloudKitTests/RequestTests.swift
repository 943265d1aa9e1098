#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import MockCloud
  import RecordModel
  import TestSupport
  import Testing

  @testable import RecordPackCloudKit

  @Suite("Requests to CloudKit")
  struct RequestTests {
    @Test("of more items of the default zone than CloudKit takes are divided")
    func defaultZone() async throws {
      let database = try TwinContainers().bridged.privateCloudDatabase
      let drafts = (0..<401).map {
        DraftRecord(recordType: "Note", recordID: RecordID(recordName: "n\($0)"))
      }
      let saved = try await database.modifyRecords(saving: drafts, deleting: [])
      #expect(saved.saveResults.values.filter { (try? $0.get()) != nil }.count == 401)
    }

    @Test("fail for an item that is too large alone, and not for the others")
    func tooLarge() async throws {
      var (sent, failed): ([Int], [Int]) = ([], [])
      var batches = RequestBatches(Array(1...6)) { $0 }
      try await batches.send { items in
        guard !items.contains(3) else { throw CKError(.limitExceeded) }
        sent += items
      } orFail: { items, error in
        #expect((error as? CloudError)?.code == .limitExceeded)
        failed += items
      }
      #expect(sent == [1, 2, 4, 5, 6])
      #expect(failed == [3])
    }

    /// In one request, parents and children can be deleted in any order.
    @Test("delete parents that come before their children, however many items they have")
    func parentsBeforeChildren() async throws {
      let database = try TwinContainers().bridged.privateCloudDatabase
      let zoneID = ZoneID(zoneName: "Notes")
      try await database.save(RecordZone(zoneID: zoneID))
      let drafts = (0..<900).map { number in
        var draft = DraftRecord(
          recordType: "Note", recordID: RecordID(recordName: "n\(number)", zoneID: zoneID))
        if number >= 450 {
          let parent = RecordID(recordName: "n\(number - 450)", zoneID: zoneID)
          draft.parent = Reference(recordID: parent)
        }
        return draft
      }
      _ = try await database.modifyRecords(saving: drafts, deleting: [], atomically: false)
      let deleted = try await database.modifyRecords(
        saving: [], deleting: drafts.dropLast().map(\.recordID), atomically: false)
      let failed = deleted.deleteResults.filter { (try? $0.value.get()) == nil }
      // The parent of the one that is left.
      #expect(failed.keys.map(\.recordName) == ["n449"])
      #expect(deleted.deleteResults.count == 899)
    }

    @Test("that save and delete one record are refused, however many items they have")
    func savedAndDeleted() async throws {
      let database = try TwinContainers().bridged.privateCloudDatabase
      let drafts = (0..<401).map {
        DraftRecord(recordType: "Note", recordID: RecordID(recordName: "n\($0)"))
      }
      let error = await #expect(throws: CloudError.self) {
        try await database.modifyRecords(
          saving: drafts, deleting: [drafts[0].recordID], savePolicy: .allKeys,
          atomically: false)
      }
      #expect(error?.code == .invalidArguments)
    }
  }
#endif
