import CloudInterface
import CloudKit
import Foundation
import RecordArchive
import RecordModel
import RecordPackCloudKit
import RecordStore
import TestSupport
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

  @Test("records of CloudKit in a bundle")
  func bundle() throws {
    let folder = try TestFolder()
    let ckRecords = ["C1", "C2"].map {
      CKRecord(recordType: "Chat", recordID: CKRecord.ID(recordName: $0))
    }
    let store = try ContainerStore.inMemory()
    try store.importTransaction { writer in
      for record in ckRecords { try writer.add(ResultRecord(record), to: .public) }
    }
    #expect(try Archiver().export(store, to: folder.path("Some.recordpack")).records == 2)
  }

  /// Not run: it writes to the current folder.
  private func export(_ store: ContainerStore) throws {
    try Archiver().export(store, to: "Some.recordpack")
  }

  /// Not run, as the next.
  private func download() async throws {
    let container = CloudKitContainer(CKContainer.default())
    try await Archiver().export(downloading: container, to: "Todo.recordpack")
  }

  /// Not run: without the app's entitlement, CloudKit ends the process.
  private func container() async throws {
    let container = CloudKitContainer(CKContainer.default())
    let store = NoteStore(container: container)
    _ = store
    let database = CloudKitContainer(CKContainer.default()).privateCloudDatabase
    let note = try await database.record(for: RecordID(recordName: "N1"))
    _ = note
    syncs(nil, NoDelegate())
  }
}

extension CloudKitSnippetTests {
  private func syncs(_ stored: SyncEngineStateSerialization?, _ store: any SyncEngineDelegate) {
    let container = CloudKitContainer(CKContainer.default())
    let engine = CloudKitSyncEngine(
      SyncEngineConfiguration(
        database: container.privateCloudDatabase, stateSerialization: stored, delegate: store))
    _ = engine
  }
}

private final class NoDelegate: SyncEngineDelegate {
  func handleEvent(_ event: SyncEngineEvent, syncEngine: any SyncEngine) async {}

  func nextRecordZoneChangeBatch(
    _ context: SendChangesContext, syncEngine: any SyncEngine
  ) async -> RecordZoneChangeBatch? { nil }
}

private struct NoteStore {
  let container: any CloudContainer
}
