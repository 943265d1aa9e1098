import RecordModel

extension SyncEngineEvent: CustomStringConvertible {
  /// The event in one line: its name, records and error codes, without values of fields.
  public var description: String {
    switch self {
    case .stateUpdate: "stateUpdate"
    case .accountChange(let change): "accountChange: \(change)"
    case .fetchedDatabaseChanges(let changes): "fetchedDatabaseChanges: \(changes)"
    case .fetchedRecordZoneChanges(let changes): "fetchedRecordZoneChanges: \(changes)"
    case .sentDatabaseChanges(let changes): "sentDatabaseChanges: \(changes)"
    case .sentRecordZoneChanges(let changes): "sentRecordZoneChanges: \(changes)"
    case .willFetchChanges(let changes): "willFetchChanges: \(changes)"
    case .willFetchRecordZoneChanges(let zone): "willFetchRecordZoneChanges: \(zone)"
    case .didFetchRecordZoneChanges(let zone): "didFetchRecordZoneChanges: \(zone)"
    case .didFetchChanges(let changes): "didFetchChanges: \(changes)"
    case .willSendChanges(let changes): "willSendChanges: \(changes)"
    case .didSendChanges(let changes): "didSendChanges: \(changes)"
    }
  }
}

extension SyncEngineEvent.StateUpdate: CustomStringConvertible {
  /// A constant: a state has no short form.
  public var description: String { "a new state" }
}

extension SyncEngineEvent.AccountChange: CustomStringConvertible {
  /// The kind of change and the users' record names.
  public var description: String {
    switch changeType {
    case .signIn(let user): "signIn of \(user.recordName.escapingControls)"
    case .signOut(let user): "signOut of \(user.recordName.escapingControls)"
    case .switchAccounts(let previous, let current):
      "switchAccounts from \(previous.recordName.escapingControls) to "
        + current.recordName.escapingControls
    }
  }
}

extension SyncEngineEvent.FetchedDatabaseChanges: CustomStringConvertible {
  /// The zones in one line.
  public var description: String {
    EventText.joined([
      ("modified", EventText.list(modifications) { "\($0.zoneID)" }),
      ("deleted", EventText.list(deletions) { "\($0.zoneID) (\($0.reason))" }),
    ])
  }
}

extension SyncEngineEvent.FetchedRecordZoneChanges: CustomStringConvertible {
  /// The records in one line, without their fields.
  public var description: String {
    EventText.joined([
      ("modified", EventText.list(modifications) { "\($0.record.recordID)" }),
      ("deleted", EventText.list(deletions) { "\($0.recordID)" }),
    ])
  }
}

extension SyncEngineEvent.SentDatabaseChanges: CustomStringConvertible {
  /// The zones in one line, with error codes.
  public var description: String {
    EventText.joined([
      ("saved", EventText.list(savedZones) { "\($0.zoneID)" }),
      ("failed", EventText.list(failedZoneSaves) { "\($0.zone.zoneID) (\($0.error.code.name))" }),
      ("deleted", EventText.list(deletedZoneIDs) { "\($0)" }),
      (
        "not deleted",
        EventText.list(failedZoneDeletes.sorted { $0.key < $1.key }) {
          "\($0.key) (\($0.value.code.name))"
        }
      ),
    ])
  }
}

extension SyncEngineEvent.SentRecordZoneChanges: CustomStringConvertible {
  /// The records in one line, with error codes and without fields.
  public var description: String {
    EventText.joined([
      ("saved", EventText.list(savedRecords) { "\($0.recordID)" }),
      (
        "failed",
        EventText.list(failedRecordSaves) { "\($0.record.recordID) (\($0.error.code.name))" }
      ),
      ("deleted", EventText.list(deletedRecordIDs) { "\($0)" }),
      (
        "not deleted",
        EventText.list(failedRecordDeletes.sorted { $0.key < $1.key }) {
          "\($0.key) (\($0.value.code.name))"
        }
      ),
    ])
  }
}

extension SyncEngineEvent.WillFetchChanges: CustomStringConvertible {
  /// The reason and the zones.
  public var description: String { "\(context)" }
}

extension SyncEngineEvent.WillFetchRecordZoneChanges: CustomStringConvertible {
  /// The zone.
  public var description: String { zoneID.description.escapingControls }
}

extension SyncEngineEvent.DidFetchRecordZoneChanges: CustomStringConvertible {
  /// The zone, and the code of the error.
  public var description: String {
    zoneID.description.escapingControls + (error.map { " (\($0.code.name))" } ?? "")
  }
}

extension SyncEngineEvent.DidFetchChanges: CustomStringConvertible {
  /// The reason and the zones.
  public var description: String { "\(context)" }
}

extension SyncEngineEvent.WillSendChanges: CustomStringConvertible {
  /// The reason and the records.
  public var description: String { "\(context)" }
}

extension SyncEngineEvent.DidSendChanges: CustomStringConvertible {
  /// The reason and the records.
  public var description: String { "\(context)" }
}
