import CloudInterface
import RecordModel

/// The to-dos on a device, which a sync engine keeps in sync.
actor TodoStore: SyncEngineDelegate {
  private static let zoneID = ZoneID(zoneName: "Todos")
  private(set) var titles: [String: String] = [:]
  /// The records as the server has them.
  private var records: [String: ResultRecord] = [:]
  private var engine: (any SyncEngine)?

  /// The app gives `{ CloudKitSyncEngine($0) }` of RecordPackCloudKit.
  func start(
    _ container: any CloudContainer, makeEngine: (SyncEngineConfiguration) -> any SyncEngine
  ) {
    engine = makeEngine(
      SyncEngineConfiguration(
        database: container.privateCloudDatabase, stateSerialization: nil, delegate: self))
  }

  /// Adds or changes a to-do; without a title, deletes it.
  func setTitle(_ title: String?, of name: String) {
    titles[name] = title
    engine?.state.add(pendingRecordZoneChanges: [change(name)])
  }

  private func change(_ name: String) -> PendingRecordZoneChange {
    let recordID = RecordID(recordName: name, zoneID: Self.zoneID)
    return titles[name] == nil ? .deleteRecord(recordID) : .saveRecord(recordID)
  }

  func nextRecordZoneChangeBatch(
    _ context: SendChangesContext, syncEngine: any SyncEngine
  ) async -> RecordZoneChangeBatch? {
    let changes = syncEngine.state.pendingRecordZoneChanges
    return await RecordZoneChangeBatch(pendingChanges: changes) { recordID in
      await self.record(recordID)
    }
  }

  private func record(_ recordID: RecordID) -> DraftRecord? {
    guard let title = titles[recordID.recordName] else { return nil }
    var record =
      records[recordID.recordName].map { DraftRecord($0) }
      ?? DraftRecord(recordType: "Todo", recordID: recordID)
    record["title"] = title
    return record
  }

  func handleEvent(_ event: SyncEngineEvent, syncEngine: any SyncEngine) async {
    switch event {
    case .accountChange(let change):
      if case .signIn = change.changeType {
        let zone = RecordZone(zoneID: Self.zoneID)
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

  private func take(_ record: ResultRecord) {
    records[record.recordID.recordName] = record
    titles[record.recordID.recordName] = record["title"]
  }

  private func remove(_ recordID: RecordID) {
    records[recordID.recordName] = nil
    titles[recordID.recordName] = nil
  }
}
