import CloudInterface
import Foundation
import RecordModel

extension CKSyncEngine {
  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/recordzonechangebatch
  public struct RecordZoneChangeBatch: Sendable, CustomStringConvertible {
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/recordzonechangebatch/recordstosave
    public var recordsToSave: [CKRecord]
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/recordzonechangebatch/recordidstodelete
    public var recordIDsToDelete: [CKRecord.ID]
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/recordzonechangebatch/atomicbyzone
    public var atomicByZone: Bool

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/recordzonechangebatch/init(pendingchanges:recordprovider:)
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

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/recordzonechangebatch/init(recordstosave:recordidstodelete:atomicbyzone:)
    public init(
      recordsToSave: [CKRecord] = [], recordIDsToDelete: [CKRecord.ID] = [],
      atomicByZone: Bool = false
    ) {
      self.recordsToSave = recordsToSave
      self.recordIDsToDelete = recordIDsToDelete
      self.atomicByZone = atomicByZone
    }

    /// https://developer.apple.com/documentation/swift/customstringconvertible/description
    public var description: String { "CKSyncEngine.RecordZoneChangeBatch" }
  }

  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/fetchchangesoptions
  public struct FetchChangesOptions: Sendable, CustomStringConvertible {
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/fetchchangesoptions/scope-swift.enum
    public enum Scope: Sendable, Equatable, CustomStringConvertible {
      /// All zones.
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/fetchchangesoptions/scope-swift.enum/all
      case all
      /// All zones except these.
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/fetchchangesoptions/scope-swift.enum/allexcluding(_:)
      case allExcluding([CKRecordZone.ID])
      /// These zones.
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/fetchchangesoptions/scope-swift.enum/zoneids(_:)
      case zoneIDs([CKRecordZone.ID])

      var model: CloudInterface.FetchChangesOptions.Scope {
        switch self {
        case .all: .all
        case .allExcluding(let zoneIDs): .allExcluding(zoneIDs.map { ZoneID($0) })
        case .zoneIDs(let zoneIDs): .zoneIDs(zoneIDs.map { ZoneID($0) })
        }
      }

      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/fetchchangesoptions/scope-swift.enum/contains(_:)
      public func contains(_ zoneID: CKRecordZone.ID) -> Bool { model.contains(ZoneID(zoneID)) }

      /// https://developer.apple.com/documentation/swift/customstringconvertible/description
      public var description: String { model.description }
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/fetchchangesoptions/scope-swift.property
    public var scope: Scope
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/fetchchangesoptions/operationgroup
    public var operationGroup: CKOperationGroup
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/fetchchangesoptions/prioritizedzoneids
    public var prioritizedZoneIDs: [CKRecordZone.ID] = []

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/fetchchangesoptions/init(scope:operationgroup:)
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

    /// https://developer.apple.com/documentation/swift/customstringconvertible/description
    public var description: String { model.description }
  }

  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchangesoptions
  public struct SendChangesOptions: Sendable, CustomStringConvertible {
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchangesoptions/scope-swift.enum
    public enum Scope: Sendable, Equatable, CustomStringConvertible {
      /// All zones.
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchangesoptions/scope-swift.enum/all
      case all
      /// All zones except these.
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchangesoptions/scope-swift.enum/allexcluding(_:)
      case allExcluding([CKRecordZone.ID])
      /// These zones.
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchangesoptions/scope-swift.enum/zoneids(_:)
      case zoneIDs([CKRecordZone.ID])
      /// These records.
      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchangesoptions/scope-swift.enum/recordids(_:)
      case recordIDs([CKRecord.ID])

      var model: CloudInterface.SendChangesOptions.Scope {
        switch self {
        case .all: .all
        case .allExcluding(let zoneIDs): .allExcluding(zoneIDs.map { ZoneID($0) })
        case .zoneIDs(let zoneIDs): .zoneIDs(zoneIDs.map { ZoneID($0) })
        case .recordIDs(let recordIDs): .recordIDs(recordIDs.map { RecordID($0) })
        }
      }

      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchangesoptions/scope-swift.enum/contains(_:)
      public func contains(_ recordID: CKRecord.ID) -> Bool { model.contains(RecordID(recordID)) }

      /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchangesoptions/scope-swift.enum/contains(_:)
      public func contains(_ pendingChange: PendingRecordZoneChange) -> Bool {
        model.contains(pendingChange.model)
      }

      /// https://developer.apple.com/documentation/swift/customstringconvertible/description
      public var description: String { model.description }
    }

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchangesoptions/scope-swift.property
    public var scope: Scope
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchangesoptions/operationgroup
    public var operationGroup: CKOperationGroup

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchangesoptions/init(scope:operationgroup:)
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

    /// https://developer.apple.com/documentation/swift/customstringconvertible/description
    public var description: String { model.description }
  }

  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/fetchchangescontext
  public struct FetchChangesContext: Sendable, CustomStringConvertible {
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/fetchchangescontext/reason
    public let reason: SyncReason
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/fetchchangescontext/options
    public let options: FetchChangesOptions

    init(_ context: CloudInterface.FetchChangesContext) {
      reason = SyncReason(context.reason)
      options = FetchChangesOptions(context.options)
    }

    /// https://developer.apple.com/documentation/swift/customstringconvertible/description
    public var description: String { "\(reason), \(options)" }
  }

  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchangescontext
  public struct SendChangesContext: Sendable, CustomStringConvertible {
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchangescontext/reason
    public let reason: SyncReason
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchangescontext/options
    public let options: SendChangesOptions

    init(_ context: CloudInterface.SendChangesContext) {
      reason = SyncReason(context.reason)
      options = SendChangesOptions(context.options)
    }

    /// https://developer.apple.com/documentation/swift/customstringconvertible/description
    public var description: String { "\(reason), \(options)" }
  }

  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/syncreason
  public enum SyncReason: Sendable, Hashable, CustomStringConvertible {
    /// The engine chose the time.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/syncreason/scheduled
    case scheduled
    /// The app called a method of the engine.
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/syncreason/manual
    case manual

    init(_ reason: CloudInterface.SyncReason) {
      switch reason {
      case .scheduled: self = .scheduled
      case .manual: self = .manual
      }
    }

    /// https://developer.apple.com/documentation/swift/customstringconvertible/description
    public var description: String { self == .scheduled ? "scheduled" : "manual" }
  }
}
