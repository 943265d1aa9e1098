#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import RecordModel

  extension PendingRecordZoneChange {
    /// Creates a change from one of CloudKit; nil for a kind that this version does not know.
    public init?(_ change: CKSyncEngine.PendingRecordZoneChange) {
      switch change {
      case .saveRecord(let recordID): self = .saveRecord(RecordID(recordID))
      case .deleteRecord(let recordID): self = .deleteRecord(RecordID(recordID))
      @unknown default: return nil
      }
    }
  }

  extension CKSyncEngine.PendingRecordZoneChange {
    /// - Throws: `CloudError` with a violation if a name is not valid.
    init(checking change: PendingRecordZoneChange) throws {
      switch change {
      case .saveRecord(let recordID): self = .saveRecord(try CKRecord.ID(checking: recordID))
      case .deleteRecord(let recordID): self = .deleteRecord(try CKRecord.ID(checking: recordID))
      }
    }
  }

  extension PendingDatabaseChange {
    /// Creates a change from one of CloudKit; nil for a kind that this version does not know.
    public init?(_ change: CKSyncEngine.PendingDatabaseChange) {
      switch change {
      case .saveZone(let zone): self = .saveZone(RecordZone(zone))
      case .deleteZone(let zoneID): self = .deleteZone(ZoneID(zoneID))
      @unknown default: return nil
      }
    }
  }

  extension CKSyncEngine.PendingDatabaseChange {
    /// - Throws: `CloudError` with a violation if a name is not valid.
    init(checking change: PendingDatabaseChange) throws {
      switch change {
      case .saveZone(let zone):
        self = .saveZone(CKRecordZone(zoneID: try CKRecordZone.ID(checking: zone.zoneID)))
      case .deleteZone(let zoneID): self = .deleteZone(try CKRecordZone.ID(checking: zoneID))
      }
    }
  }

  extension SyncReason {
    init(_ reason: CKSyncEngine.SyncReason) {
      switch reason {
      case .manual: self = .manual
      case .scheduled: self = .scheduled
      @unknown default: self = .scheduled
      }
    }
  }

  extension FetchChangesContext {
    init(_ context: CKSyncEngine.FetchChangesContext) {
      self.init(
        reason: SyncReason(context.reason), options: FetchChangesOptions(context.options))
    }
  }

  extension SendChangesContext {
    init(_ context: CKSyncEngine.SendChangesContext) {
      self.init(reason: SyncReason(context.reason), options: SendChangesOptions(context.options))
    }
  }

  extension FetchChangesOptions {
    fileprivate init(_ options: CKSyncEngine.FetchChangesOptions) {
      let scope: Scope =
        switch options.scope {
        case .all: .all
        case .allExcluding(let zoneIDs): .allExcluding(zoneIDs.map { ZoneID($0) })
        case .zoneIDs(let zoneIDs): .zoneIDs(zoneIDs.map { ZoneID($0) })
        @unknown default: .all
        }
      self.init(scope: scope, operationGroup: OperationGroup(options.operationGroup))
      prioritizedZoneIDs = options.prioritizedZoneIDs.map { ZoneID($0) }
    }
  }

  extension CKSyncEngine.FetchChangesOptions {
    /// - Parameter group: The group of the context that the options may have been made from.
    init(_ options: FetchChangesOptions, keeping group: CKOperationGroup? = nil) {
      let scope: Scope =
        switch options.scope {
        case .all: .all
        case .allExcluding(let zoneIDs): .allExcluding(zoneIDs.map { CKRecordZone.ID($0) })
        case .zoneIDs(let zoneIDs): .zoneIDs(zoneIDs.map { CKRecordZone.ID($0) })
        }
      self.init(
        scope: scope, operationGroup: CKOperationGroup.group(options.operationGroup, keeping: group)
      )
      prioritizedZoneIDs = options.prioritizedZoneIDs.map { CKRecordZone.ID($0) }
    }
  }

  extension SendChangesOptions {
    fileprivate init(_ options: CKSyncEngine.SendChangesOptions) {
      let scope: Scope =
        switch options.scope {
        case .all: .all
        case .allExcluding(let zoneIDs): .allExcluding(zoneIDs.map { ZoneID($0) })
        case .zoneIDs(let zoneIDs): .zoneIDs(zoneIDs.map { ZoneID($0) })
        case .recordIDs(let recordIDs): .recordIDs(recordIDs.map { RecordID($0) })
        @unknown default: .all
        }
      self.init(scope: scope, operationGroup: OperationGroup(options.operationGroup))
    }
  }

  extension CKSyncEngine.SendChangesOptions {
    init(_ options: SendChangesOptions) {
      let scope: Scope =
        switch options.scope {
        case .all: .all
        case .allExcluding(let zoneIDs): .allExcluding(zoneIDs.map { CKRecordZone.ID($0) })
        case .zoneIDs(let zoneIDs): .zoneIDs(zoneIDs.map { CKRecordZone.ID($0) })
        case .recordIDs(let recordIDs): .recordIDs(recordIDs.map { CKRecord.ID($0) })
        }
      self.init(scope: scope, operationGroup: CKOperationGroup.group(options.operationGroup))
    }
  }

  extension OperationGroup {
    /// Creates a group from one of CloudKit.
    fileprivate init(_ group: CKOperationGroup) {
      self.init(operationGroupID: group.operationGroupID)
      name = group.name
      quantity = group.quantity
      expectedSendSize = TransferSize(rawValue: group.expectedSendSize.rawValue) ?? .unknown
      expectedReceiveSize = TransferSize(rawValue: group.expectedReceiveSize.rawValue) ?? .unknown
    }
  }

  extension CKOperationGroup {
    /// Returns CloudKit's group, or a new one: an identifier cannot be set.
    fileprivate static func group(
      _ group: OperationGroup, keeping known: CKOperationGroup? = nil
    ) -> CKOperationGroup {
      if let known, known.operationGroupID == group.operationGroupID { return known }
      let result = CKOperationGroup()
      result.name = group.name
      result.quantity = group.quantity
      result.expectedSendSize =
        .init(rawValue: group.expectedSendSize.rawValue) ?? .unknown
      result.expectedReceiveSize =
        .init(rawValue: group.expectedReceiveSize.rawValue) ?? .unknown
      return result
    }
  }
#endif
