#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension ZoneID {
    /// Creates an identifier from one of CloudKit.
    public init(_ zoneID: CKRecordZone.ID) {
      self.init(zoneName: zoneID.zoneName, ownerName: zoneID.ownerName)
    }
  }

  extension CKRecordZone.ID {
    /// Creates an identifier from one of RecordPack.
    ///
    /// CloudKit raises an exception for a name that `RecordLimits` does not allow.
    public convenience init(_ zoneID: ZoneID) {
      self.init(zoneName: zoneID.zoneName, ownerName: zoneID.ownerName)
    }
  }
#endif
