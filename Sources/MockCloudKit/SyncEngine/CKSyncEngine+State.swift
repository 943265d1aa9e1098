import CloudInterface
import Foundation
import MockSync
import RecordModel

extension CKSyncEngine {
  public final class State: Sendable {
    /// The pending changes as the app saw them last, each with its number in the engine.
    private struct Known {
      var revision = -1
      var numbers: [Int] = []
      var changes: [PendingRecordZoneChange] = []
    }

    private let engine: MockSyncEngine
    private var state: any SyncEngineState { engine.state }
    private let known = Locked(Known())

    init(_ engine: MockSyncEngine) { self.engine = engine }

    public struct Serialization: Codable, Sendable {
      let model: SyncEngineStateSerialization

      init(_ model: SyncEngineStateSerialization) { self.model = model }
    }

    // Apps with thousands of pending changes ask often. Only changes that are new since are converted.
    public var pendingRecordZoneChanges: [PendingRecordZoneChange] {
      known.with { known in
        guard known.revision != engine.pendingRevision else { return known.changes }
        let pending = engine.numberedPendingChanges
        var new = Known(revision: pending.revision)
        new.numbers.reserveCapacity(pending.changes.count)
        new.changes.reserveCapacity(pending.changes.count)
        var place = 0
        for (number, change) in pending.changes {
          while place < known.numbers.count, known.numbers[place] < number { place += 1 }
          let isKnown = place < known.numbers.count && known.numbers[place] == number
          new.numbers.append(number)
          new.changes.append(isKnown ? known.changes[place] : PendingRecordZoneChange(change))
        }
        known = new
        return known.changes
      }
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
