#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import RecordModel

  /// Converts events of CloudKit's engine.
  struct EventConverter {
    let files: AssetFiles
    /// The drafts of the batch that an event may respond to.
    let drafts: [RecordID: DraftRecord]
    let onError: @Sendable (any Error) -> Void

    /// Returns an event; nil for a kind that this version does not know.
    func event(_ event: CKSyncEngine.Event) -> SyncEngineEvent? {
      switch event {
      case .stateUpdate(let update):
        .stateUpdate(.init(stateSerialization: .init(update.stateSerialization)))
      case .accountChange(let change): accountChange(change).map { .accountChange($0) }
      case .fetchedDatabaseChanges(let changes):
        .fetchedDatabaseChanges(
          .init(
            modifications: changes.modifications.map { .init(zoneID: ZoneID($0.zoneID)) },
            deletions: changes.deletions.map { DeletedZone($0) }))
      case .fetchedRecordZoneChanges(let changes):
        .fetchedRecordZoneChanges(
          .init(
            modifications: changes.modifications.compactMap { modification in
              record(modification.record).map { .init(record: $0) }
            },
            deletions: changes.deletions.map {
              .init(recordID: RecordID($0.recordID), recordType: $0.recordType)
            }))
      case .sentDatabaseChanges(let changes): .sentDatabaseChanges(sent(changes))
      case .sentRecordZoneChanges(let changes): .sentRecordZoneChanges(sent(changes))
      case .willFetchChanges(let event):
        .willFetchChanges(.init(context: FetchChangesContext(event.context)))
      case .willFetchRecordZoneChanges(let event):
        .willFetchRecordZoneChanges(.init(zoneID: ZoneID(event.zoneID)))
      case .didFetchRecordZoneChanges(let event):
        .didFetchRecordZoneChanges(
          .init(
            zoneID: ZoneID(event.zoneID),
            error: event.error.map { CloudError($0, keepingFilesIn: files) }))
      case .didFetchChanges(let event):
        .didFetchChanges(.init(context: FetchChangesContext(event.context)))
      case .willSendChanges(let event):
        .willSendChanges(.init(context: SendChangesContext(event.context)))
      case .didSendChanges(let event):
        .didSendChanges(.init(context: SendChangesContext(event.context)))
      @unknown default: nil
      }
    }

    private func accountChange(
      _ change: CKSyncEngine.Event.AccountChange
    ) -> SyncEngineEvent.AccountChange? {
      switch change.changeType {
      case .signIn(let user): .init(changeType: .signIn(currentUser: RecordID(user)))
      case .signOut(let user): .init(changeType: .signOut(previousUser: RecordID(user)))
      case .switchAccounts(let previous, let current):
        .init(
          changeType: .switchAccounts(
            previousUser: RecordID(previous), currentUser: RecordID(current)))
      @unknown default: nil
      }
    }

    /// Converts a record. One that cannot be converted is reported.
    private func record(_ record: CKRecord) -> ResultRecord? {
      do {
        return try ResultRecord(record, keepingFilesIn: files)
      } catch {
        onError(error)
        return nil
      }
    }

    private func sent(
      _ changes: CKSyncEngine.Event.SentDatabaseChanges
    ) -> SyncEngineEvent.SentDatabaseChanges {
      var failedDeletes: [ZoneID: CloudError] = [:]
      for (zoneID, error) in changes.failedZoneDeletes {
        failedDeletes[ZoneID(zoneID)] = CloudError(error, keepingFilesIn: files)
      }
      return .init(
        savedZones: changes.savedZones.map { RecordZone($0) },
        failedZoneSaves: changes.failedZoneSaves.map { failure in
          .init(
            zone: RecordZone(failure.zone), error: CloudError(failure.error, keepingFilesIn: files))
        }, deletedZoneIDs: changes.deletedZoneIDs.map { ZoneID($0) },
        failedZoneDeletes: failedDeletes)
    }

    private func sent(
      _ changes: CKSyncEngine.Event.SentRecordZoneChanges
    ) -> SyncEngineEvent.SentRecordZoneChanges {
      var failedDeletes: [RecordID: CloudError] = [:]
      for (recordID, error) in changes.failedRecordDeletes {
        failedDeletes[RecordID(recordID)] = CloudError(error, keepingFilesIn: files)
      }
      return .init(
        savedRecords: changes.savedRecords.compactMap { saved in
          record(saved).map { record in drafts[record.recordID].map(record.completed) ?? record }
        },
        failedRecordSaves: changes.failedRecordSaves.compactMap { failure in
          let recordID = RecordID(failure.record.recordID)
          let draft = drafts[recordID] ?? record(failure.record).map { DraftRecord($0) }
          let error = CloudError.converting(
            failure.error, clientRecord: draft, keepingFilesIn: files)
          return draft.map {
            .init(record: $0, error: error as? CloudError ?? CloudError(.internalError))
          }
        }, deletedRecordIDs: changes.deletedRecordIDs.map { RecordID($0) },
        failedRecordDeletes: failedDeletes)
    }
  }
#endif
