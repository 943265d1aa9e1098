import CloudInterface
import RecordModel

/// The to-dos on a device, which a sync engine keeps in sync.
actor TodoStore: SyncEngineDelegate {
  private static let zoneID = ZoneID(zoneName: "Todos")
  private(set) var titles: [String: String] = [:]
  /// The records as the server has them.
  private var records: [String: ResultRecord] = [:]
  /// The to-dos with edits that the server does not have.
  private var unsent: Set<String> = []
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
    unsent.insert(name)
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
        addUnsent(syncEngine)
      }
    case .fetchedRecordZoneChanges(let changes):
      for modification in changes.modifications { take(modification.record) }
      for deletion in changes.deletions { remove(deletion.recordID) }
    case .sentRecordZoneChanges(let changes):
      for record in changes.savedRecords { saved(record) }
      for recordID in changes.deletedRecordIDs { remove(recordID) }
      for failure in changes.failedRecordSaves {
        let recordID = failure.record.recordID
        switch failure.error.code {
        case .serverRecordChanged:
          // The title of this device wins.
          records[recordID.recordName] = failure.error.serverRecord
        case .unknownItem: remove(recordID)
        default: break
        }
      }
      // Another device has deleted the to-do, too.
      for (recordID, error) in changes.failedRecordDeletes where error.code == .unknownItem {
        remove(recordID)
      }
    case .didSendChanges: addUnsent(syncEngine)
    default: break
    }
  }

  private func addUnsent(_ syncEngine: any SyncEngine) {
    syncEngine.state.add(pendingRecordZoneChanges: unsent.sorted().map { change($0) })
  }

  private func saved(_ record: ResultRecord) {
    let name = record.recordID.recordName
    records[name] = record
    // The user may have edited the to-do since it was sent.
    if titles[name] == record["title"] { unsent.remove(name) }
  }

  private func take(_ record: ResultRecord) {
    records[record.recordID.recordName] = record
    guard !unsent.contains(record.recordID.recordName) else { return }
    titles[record.recordID.recordName] = record["title"]
  }

  private func remove(_ recordID: RecordID) {
    records[recordID.recordName] = nil
    titles[recordID.recordName] = nil
    unsent.remove(recordID.recordName)
  }
}
