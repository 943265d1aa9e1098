import CloudInterface
import Foundation
import RecordModel

extension CKSyncEngine {
  public struct RecordZoneChangeBatch: Sendable, CustomStringConvertible {
    public var recordsToSave: [CKRecord]
    public var recordIDsToDelete: [CKRecord.ID]
    public var atomicByZone: Bool

    public init?(
      pendingChanges: [PendingRecordZoneChange],
      recordProvider: @Sendable (CKRecord.ID) async -> CKRecord?
    ) async {
      typealias Model = CloudInterface.RecordZoneChangeBatch
      guard
        let chosen = await Model.choose(
          from: pendingChanges.map(\.model),
          { recordID in
            await recordProvider(CKRecord.ID(recordID)).map { record in
              (record, (try? DraftRecord(record))?.requestSize ?? 0)
            }
          })
      else { return nil }
      self.init(
        recordsToSave: chosen.records,
        recordIDsToDelete: chosen.deletions.map { CKRecord.ID($0) })
    }

    public init(
      recordsToSave: [CKRecord] = [], recordIDsToDelete: [CKRecord.ID] = [],
      atomicByZone: Bool = false
    ) {
      self.recordsToSave = recordsToSave
      self.recordIDsToDelete = recordIDsToDelete
      self.atomicByZone = atomicByZone
    }

    public var description: String {
      "<RecordZoneChangeBatch recordsToSave=\(recordsToSave.map(\.recordID)) "
        + "recordIDsToDelete=\(recordIDsToDelete) atomicByZone=\(atomicByZone)>"
    }
  }

  public struct FetchChangesOptions: Sendable, CustomStringConvertible {
    public enum Scope: Sendable, Equatable, CustomStringConvertible {
      /// All zones.
      case all
      /// All zones except these.
      case allExcluding([CKRecordZone.ID])
      /// These zones.
      case zoneIDs([CKRecordZone.ID])

      var model: CloudInterface.FetchChangesOptions.Scope {
        switch self {
        case .all: .all
        case .allExcluding(let zoneIDs): .allExcluding(zoneIDs.map { ZoneID($0) })
        case .zoneIDs(let zoneIDs): .zoneIDs(zoneIDs.map { ZoneID($0) })
        }
      }

      public func contains(_ zoneID: CKRecordZone.ID) -> Bool { model.contains(ZoneID(zoneID)) }

      public var description: String {
        switch self {
        case .all: "all"
        case .allExcluding(let zoneIDs): "allExcluding(\(zoneIDs))"
        case .zoneIDs(let zoneIDs): "zoneIDs(\(zoneIDs))"
        }
      }
    }

    public var scope: Scope
    public var operationGroup: CKOperationGroup
    public var prioritizedZoneIDs: [CKRecordZone.ID] = []

    public init(scope: Scope = .all, operationGroup: CKOperationGroup? = nil) {
      self.scope = scope
      self.operationGroup = operationGroup ?? CKOperationGroup()
    }

    init(_ options: CloudInterface.FetchChangesOptions) {
      let scope: Scope =
        switch options.scope {
        case .all: .all
        case .allExcluding(let zoneIDs): .allExcluding(zoneIDs.map { CKRecordZone.ID($0) })
        case .zoneIDs(let zoneIDs): .zoneIDs(zoneIDs.map { CKRecordZone.ID($0) })
        }
      self.init(scope: scope)
      operationGroup.name = options.operationGroup.name
      prioritizedZoneIDs = options.prioritizedZoneIDs.map { CKRecordZone.ID($0) }
    }

    var model: CloudInterface.FetchChangesOptions {
      var options = CloudInterface.FetchChangesOptions(
        scope: scope.model, operationGroup: operationGroup.model)
      options.prioritizedZoneIDs = prioritizedZoneIDs.map { ZoneID($0) }
      return options
    }

    public var description: String {
      "<FetchChangesOptions scope=\(scope) group=\(operationGroup)>"
    }
  }

  public struct SendChangesOptions: Sendable, CustomStringConvertible {
    public enum Scope: Sendable, Equatable, CustomStringConvertible {
      /// All zones.
      case all
      /// All zones except these.
      case allExcluding([CKRecordZone.ID])
      /// These zones.
      case zoneIDs([CKRecordZone.ID])
      /// These records.
      case recordIDs([CKRecord.ID])

      var model: CloudInterface.SendChangesOptions.Scope {
        switch self {
        case .all: .all
        case .allExcluding(let zoneIDs): .allExcluding(zoneIDs.map { ZoneID($0) })
        case .zoneIDs(let zoneIDs): .zoneIDs(zoneIDs.map { ZoneID($0) })
        case .recordIDs(let recordIDs): .recordIDs(recordIDs.map { RecordID($0) })
        }
      }

      public func contains(_ recordID: CKRecord.ID) -> Bool { model.contains(RecordID(recordID)) }

      public func contains(_ pendingChange: PendingRecordZoneChange) -> Bool {
        model.contains(pendingChange.model)
      }

      public var description: String {
        switch self {
        case .all: "all"
        case .allExcluding(let zoneIDs): "allExcluding(\(zoneIDs))"
        case .zoneIDs(let zoneIDs): "zoneIDs(\(zoneIDs))"
        case .recordIDs(let recordIDs): "recordIDs(\(recordIDs))"
        }
      }
    }

    public var scope: Scope
    public var operationGroup: CKOperationGroup

    public init(scope: Scope = .all, operationGroup: CKOperationGroup? = nil) {
      self.scope = scope
      self.operationGroup = operationGroup ?? CKOperationGroup()
    }

    init(_ options: CloudInterface.SendChangesOptions) {
      let scope: Scope =
        switch options.scope {
        case .all: .all
        case .allExcluding(let zoneIDs): .allExcluding(zoneIDs.map { CKRecordZone.ID($0) })
        case .zoneIDs(let zoneIDs): .zoneIDs(zoneIDs.map { CKRecordZone.ID($0) })
        case .recordIDs(let recordIDs): .recordIDs(recordIDs.map { CKRecord.ID($0) })
        }
      self.init(scope: scope)
      operationGroup.name = options.operationGroup.name
    }

    var model: CloudInterface.SendChangesOptions {
      .init(scope: scope.model, operationGroup: operationGroup.model)
    }

    public var description: String { "<SendChangesOptions scope=\(scope) group=\(operationGroup)>" }
  }

  public struct FetchChangesContext: Sendable, CustomStringConvertible {
    public let reason: SyncReason
    public let options: FetchChangesOptions

    init(_ context: CloudInterface.FetchChangesContext) {
      reason = SyncReason(context.reason)
      options = FetchChangesOptions(context.options)
    }

    public var description: String { "<FetchChangesContext reason=\(reason) options=\(options)>" }
  }

  public struct SendChangesContext: Sendable, CustomStringConvertible {
    public let reason: SyncReason
    public let options: SendChangesOptions

    init(_ context: CloudInterface.SendChangesContext) {
      reason = SyncReason(context.reason)
      options = SendChangesOptions(context.options)
    }

    public var description: String { "<SendChangesContext reason=\(reason) options=\(options)>" }
  }

  public enum SyncReason: Sendable, Hashable, CustomStringConvertible {
    /// The engine chose the time.
    case scheduled
    /// The app called a method of the engine.
    case manual

    init(_ reason: CloudInterface.SyncReason) {
      switch reason {
      case .scheduled: self = .scheduled
      case .manual: self = .manual
      }
    }

    public var description: String { self == .scheduled ? "scheduled" : "manual" }
  }
}
