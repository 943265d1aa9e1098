#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension RecordZone {
    /// Creates a zone from one of CloudKit.
    public init(_ zone: CKRecordZone) {
      self.init(
        zoneID: ZoneID(zone.zoneID), capabilities: Set(zone.capabilities),
        share: zone.share.map { Reference($0) })
    }
  }

  extension CKRecordZone {
    /// Creates a zone from one of RecordPack; the server decides its capabilities.
    ///
    /// CloudKit raises an exception for a name that `RecordLimits` does not allow.
    public convenience init(_ zone: RecordZone) {
      self.init(zoneID: CKRecordZone.ID(zone.zoneID))
    }
  }

  extension Set<RecordZone.Capability> {
    fileprivate init(_ capabilities: CKRecordZone.Capabilities) {
      self = []
      if capabilities.contains(.fetchChanges) { insert(.fetchChanges) }
      if capabilities.contains(.atomic) { insert(.atomic) }
      if capabilities.contains(.sharing) { insert(.sharing) }
      if capabilities.contains(.zoneWideSharing) { insert(.zoneWideSharing) }
    }
  }

  extension DeletedZone {
    /// Creates the deletion of a zone from one of CloudKit.
    public init(_ deletion: CKDatabase.DatabaseChange.Deletion) {
      self.init(zoneID: ZoneID(deletion.zoneID), reason: Reason(deletion.reason))
    }
  }

  extension DeletedZone.Reason {
    fileprivate init(_ reason: CKDatabase.DatabaseChange.Deletion.Reason) {
      switch reason {
      case .deleted: self = .deleted
      case .purged: self = .purged
      case .encryptedDataReset: self = .encryptedDataReset
      @unknown default: self = .deleted
      }
    }
  }
#endif
