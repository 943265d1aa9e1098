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
      ("deleted", EventText.list(deletedZoneIDs)),
      ("not deleted", EventText.list(failedZoneDeletes)),
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
      ("deleted", EventText.list(deletedRecordIDs)),
      ("not deleted", EventText.list(failedRecordDeletes)),
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

/// The parts of events in one line each. They name records and error codes, and never have values of
/// fields.
enum EventText {
  /// The number of names that a line has.
  private static let maxNames = 20

  static func list(_ names: [some CustomStringConvertible]) -> String { list(names) { "\($0)" } }

  /// Returns the names of items that have failed, each with the code of its error.
  static func list<Item: Comparable>(_ errors: [Item: CloudError]) -> String {
    list(errors.sorted { $0.key < $1.key }) { "\($0.key) (\($0.value.code.name))" }
  }

  /// Returns the names of items. Items that the line does not show are not named.
  static func list<Item>(_ items: [Item], _ name: (Item) -> String) -> String {
    let shown = items.prefix(maxNames).map { name($0).escapingControls }
    let rest = items.count > maxNames ? " and \(items.count - maxNames) more" : ""
    return shown.joined(separator: ", ") + rest
  }

  /// Returns the lists that are not empty, each with its title.
  static func joined(_ parts: [(title: String, list: String)]) -> String {
    let texts = parts.filter { !$0.list.isEmpty }.map { "\($0.title) \($0.list)" }
    return texts.isEmpty ? "nothing" : texts.joined(separator: "; ")
  }
}
