import CloudKit

/// The to-dos on a device, which CKSyncEngine keeps in sync.
actor TodoStore: CKSyncEngineDelegate {
  private static let zoneID = CKRecordZone.ID(zoneName: "Todos")
  private(set) var titles: [String: String] = [:]
  /// The records as the server has them.
  private var records: [String: CKRecord] = [:]
  private var engine: CKSyncEngine?

  func start(_ container: CKContainer) {
    engine = CKSyncEngine(
      CKSyncEngine.Configuration(
        database: container.privateCloudDatabase, stateSerialization: nil, delegate: self))
  }

  /// Adds or changes a to-do; without a title, deletes it.
  func setTitle(_ title: String?, of name: String) {
    titles[name] = title
    engine?.state.add(pendingRecordZoneChanges: [change(name)])
  }

  private func change(_ name: String) -> CKSyncEngine.PendingRecordZoneChange {
    let recordID = CKRecord.ID(recordName: name, zoneID: Self.zoneID)
    return titles[name] == nil ? .deleteRecord(recordID) : .saveRecord(recordID)
  }

  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch? {
    let changes = syncEngine.state.pendingRecordZoneChanges
    return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { recordID in
      await self.record(recordID)
    }
  }

  private func record(_ recordID: CKRecord.ID) -> CKRecord? {
    guard let title = titles[recordID.recordName] else { return nil }
    let record =
      records[recordID.recordName] ?? CKRecord(recordType: "Todo", recordID: recordID)
    record["title"] = title
    return record
  }

  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
    switch event {
    case .accountChange(let change):
      if case .signIn = change.changeType {
        let zone = CKRecordZone(zoneID: Self.zoneID)
        syncEngine.state.add(pendingDatabaseChanges: [.saveZone(zone)])
      }
    case .fetchedRecordZoneChanges(let changes):
      for modification in changes.modifications { take(modification.record) }
      for deletion in changes.deletions { remove(deletion.recordID) }
    case .sentRecordZoneChanges(let changes):
      for record in changes.savedRecords { records[record.recordID.recordName] = record }
      for failure in changes.failedRecordSaves {
        let recordID = failure.record.recordID
        switch failure.error.code {
        case .serverRecordChanged:
          // The title of this device wins.
          records[recordID.recordName] = failure.error.serverRecord
          syncEngine.state.add(pendingRecordZoneChanges: [change(recordID.recordName)])
        case .unknownItem: remove(recordID)
        default: break
        }
      }
    default: break
    }
  }

  private func take(_ record: CKRecord) {
    records[record.recordID.recordName] = record
    titles[record.recordID.recordName] = record["title"]
  }

  private func remove(_ recordID: CKRecord.ID) {
    records[recordID.recordName] = nil
    titles[recordID.recordName] = nil
  }
}
