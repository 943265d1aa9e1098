import CloudInterface
import CloudKit
import Foundation
import RecordModel
import RecordPackCloudKit
import Testing

/// The code of the articles and doc comments of RecordPackCloudKit, compiled, and run as far as it
/// needs no account.
struct CloudKitSnippetTests {
  @Test("a record of CloudKit that is changed")
  func record() throws {
    let ckRecord = CKRecord(recordType: "Chat", recordID: CKRecord.ID(recordName: "C1"))
    let record = try ResultRecord(ckRecord)
    var draft = DraftRecord(record)
    draft["title"] = "Hiking club"
    let changed = try draft.ckRecord()
    #expect(changed.object(forKey: "title") as? NSString == "Hiking club")
  }

  /// Not run: without the app's entitlement, CloudKit ends the process.
  private func container() async throws {
    let container = CloudKitContainer(CKContainer.default())
    let store = NoteStore(container: container)
    _ = store
    let database = CloudKitContainer(CKContainer.default()).privateCloudDatabase
    let note = try await database.record(for: RecordID(recordName: "N1"))
    _ = note
  }
}

private struct NoteStore {
  let container: any CloudContainer
}
