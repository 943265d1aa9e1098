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
  struct RequestAttackTests {
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
