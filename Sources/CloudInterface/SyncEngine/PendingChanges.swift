import RecordModel

/// A record that is still to be saved or deleted (`CKSyncEngine.PendingRecordZoneChange`).
public enum PendingRecordZoneChange: Sendable, Hashable {
  /// The record is to be saved. The delegate provides it when the engine sends it.
  case saveRecord(RecordID)
  /// The record is to be deleted.
  case deleteRecord(RecordID)

  /// The record.
  package var recordID: RecordID {
    switch self {
    case .saveRecord(let recordID), .deleteRecord(let recordID): recordID
    }
  }
}

extension PendingRecordZoneChange: CustomStringConvertible {
  /// `save Notes:n1` or `delete Notes:n1`.
  public var description: String {
    switch self {
    case .saveRecord(let recordID): "save \(recordID.description.escapingControls)"
    case .deleteRecord(let recordID): "delete \(recordID.description.escapingControls)"
    }
  }
}

/// A zone that is still to be saved or deleted (`CKSyncEngine.PendingDatabaseChange`).
public enum PendingDatabaseChange: Sendable, Hashable {
  /// The zone is to be saved.
  case saveZone(RecordZone)
  /// The zone is to be deleted with its records.
  case deleteZone(ZoneID)

  /// The zone.
  package var zoneID: ZoneID {
    switch self {
    case .saveZone(let zone): zone.zoneID
    case .deleteZone(let zoneID): zoneID
    }
  }
}

extension PendingDatabaseChange: CustomStringConvertible {
  /// `save zone Notes` or `delete zone Notes`.
  public var description: String {
    switch self {
    case .saveZone(let zone): "save zone \(zone.zoneID.description.escapingControls)"
    case .deleteZone(let zoneID): "delete zone \(zoneID.description.escapingControls)"
    }
  }
}
