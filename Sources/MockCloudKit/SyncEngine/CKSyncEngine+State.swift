import CloudInterface
import Foundation
import RecordModel

extension CKSyncEngine {
  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/state-swift.class
  public final class State: Sendable {
    private let state: any SyncEngineState

    init(_ state: any SyncEngineState) { self.state = state }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/state-swift.class/serialization
    public struct Serialization: Codable, Sendable {
      let model: SyncEngineStateSerialization

      init(_ model: SyncEngineStateSerialization) { self.model = model }
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/state-swift.class/pendingrecordzonechanges
    public var pendingRecordZoneChanges: [PendingRecordZoneChange] {
      state.pendingRecordZoneChanges.map { PendingRecordZoneChange($0) }
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/state-swift.class/pendingdatabasechanges
    public var pendingDatabaseChanges: [PendingDatabaseChange] {
      state.pendingDatabaseChanges.map { PendingDatabaseChange($0) }
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/state-swift.class/haspendinguntrackedchanges
    public var hasPendingUntrackedChanges: Bool {
      get { state.hasPendingUntrackedChanges }
      set { state.hasPendingUntrackedChanges = newValue }
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/state-swift.class/zoneidswithunfetchedserverchanges
    public var zoneIDsWithUnfetchedServerChanges: [CKRecordZone.ID] {
      state.zoneIDsWithUnfetchedServerChanges.map { CKRecordZone.ID($0) }
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/state-swift.class/add(pendingrecordzonechanges:)
    public func add(pendingRecordZoneChanges: [PendingRecordZoneChange]) {
      state.add(pendingRecordZoneChanges: pendingRecordZoneChanges.map(\.model))
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/state-swift.class/remove(pendingrecordzonechanges:)
    public func remove(pendingRecordZoneChanges: [PendingRecordZoneChange]) {
      state.remove(pendingRecordZoneChanges: pendingRecordZoneChanges.map(\.model))
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/state-swift.class/add(pendingdatabasechanges:)
    public func add(pendingDatabaseChanges: [PendingDatabaseChange]) {
      state.add(pendingDatabaseChanges: pendingDatabaseChanges.map(\.model))
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/state-swift.class/remove(pendingdatabasechanges:)
    public func remove(pendingDatabaseChanges: [PendingDatabaseChange]) {
      state.remove(pendingDatabaseChanges: pendingDatabaseChanges.map(\.model))
    }
  }

  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/pendingrecordzonechange
  public enum PendingRecordZoneChange: Sendable, Hashable, CustomStringConvertible {
    /// The record is to be saved.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/pendingrecordzonechange/saverecord(_:)
    case saveRecord(CKRecord.ID)
    /// The record is to be deleted.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/pendingrecordzonechange/deleterecord(_:)
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

    /// https://developer.apple.com/documentation/swift/customstringconvertible/description
    public var description: String { model.description }
  }

  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/pendingdatabasechange
  public enum PendingDatabaseChange: Sendable, Hashable, CustomStringConvertible {
    /// The zone is to be saved.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/pendingdatabasechange/savezone(_:)
    case saveZone(CKRecordZone)
    /// The zone is to be deleted.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/pendingdatabasechange/deletezone(_:)
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

    /// https://developer.apple.com/documentation/swift/customstringconvertible/description
    public var description: String { model.description }
  }
}
