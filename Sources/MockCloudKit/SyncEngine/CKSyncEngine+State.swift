import CloudInterface
import Foundation
import RecordModel

extension CKSyncEngine {
  public final class State: Sendable {
    private let state: any SyncEngineState

    init(_ state: any SyncEngineState) { self.state = state }

    public struct Serialization: Codable, Sendable {
      let model: SyncEngineStateSerialization

      init(_ model: SyncEngineStateSerialization) { self.model = model }
    }

    public var pendingRecordZoneChanges: [PendingRecordZoneChange] {
      state.pendingRecordZoneChanges.map { PendingRecordZoneChange($0) }
    }

    public var pendingDatabaseChanges: [PendingDatabaseChange] {
      state.pendingDatabaseChanges.map { PendingDatabaseChange($0) }
    }

    public var hasPendingUntrackedChanges: Bool {
      get { state.hasPendingUntrackedChanges }
      set { state.hasPendingUntrackedChanges = newValue }
    }

    public var zoneIDsWithUnfetchedServerChanges: [CKRecordZone.ID] {
      state.zoneIDsWithUnfetchedServerChanges.map { CKRecordZone.ID($0) }
    }

    public func add(pendingRecordZoneChanges: [PendingRecordZoneChange]) {
      state.add(pendingRecordZoneChanges: pendingRecordZoneChanges.map(\.model))
    }

    public func remove(pendingRecordZoneChanges: [PendingRecordZoneChange]) {
      state.remove(pendingRecordZoneChanges: pendingRecordZoneChanges.map(\.model))
    }

    public func add(pendingDatabaseChanges: [PendingDatabaseChange]) {
      state.add(pendingDatabaseChanges: pendingDatabaseChanges.map(\.model))
    }

    public func remove(pendingDatabaseChanges: [PendingDatabaseChange]) {
      state.remove(pendingDatabaseChanges: pendingDatabaseChanges.map(\.model))
    }
  }

  public enum PendingRecordZoneChange: Sendable, Hashable, CustomStringConvertible {
    /// The record is to be saved.
    case saveRecord(CKRecord.ID)
    /// The record is to be deleted.
    case deleteRecord(CKRecord.ID)

    init(_ change: CloudInterface.PendingRecordZoneChange) {
      switch change {
      case .saveRecord(let recordID): self = .saveRecord(CKRecord.ID(recordID))
      case .deleteRecord(let recordID): self = .deleteRecord(CKRecord.ID(recordID))
      }
    }

    var model: CloudInterface.PendingRecordZoneChange {
      switch self {
      case .saveRecord(let recordID): .saveRecord(RecordID(recordID))
      case .deleteRecord(let recordID): .deleteRecord(RecordID(recordID))
      }
    }

    public var description: String { model.description }
  }

  public enum PendingDatabaseChange: Sendable, Hashable, CustomStringConvertible {
    /// The zone is to be saved.
    case saveZone(CKRecordZone)
    /// The zone is to be deleted.
    case deleteZone(CKRecordZone.ID)

    init(_ change: CloudInterface.PendingDatabaseChange) {
      switch change {
      case .saveZone(let zone): self = .saveZone(CKRecordZone(zone))
      case .deleteZone(let zoneID): self = .deleteZone(CKRecordZone.ID(zoneID))
      }
    }

    var model: CloudInterface.PendingDatabaseChange {
      switch self {
      case .saveZone(let zone): .saveZone(RecordZone(zone))
      case .deleteZone(let zoneID): .deleteZone(ZoneID(zoneID))
      }
    }

    public var description: String { model.description }
  }
}
