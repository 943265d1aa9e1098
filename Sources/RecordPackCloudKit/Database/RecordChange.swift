#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  /// An item of a request that changes records.
  enum RecordChange {
    case save(CKRecord)
    case delete(CKRecord.ID)

    var saved: CKRecord? { if case .save(let record) = self { record } else { nil } }

    var deleted: CKRecord.ID? { if case .delete(let id) = self { id } else { nil } }

    private var zoneID: CKRecordZone.ID {
      switch self {
      case .save(let record): record.recordID.zoneID
      case .delete(let id): id.zoneID
      }
    }

    /// What the changes of a group have in common.
    enum GroupKey: Hashable {
      case zone(ZoneID)
      /// A share and its root; the identifier is that of the share.
      case share(RecordID)
      case record(RecordID)
      case deletion(RecordID)
    }

    /// Returns what the change has in common with those that are sent in one request with it: the
    /// zone if the changes of a zone are atomic, and else the share of a new share and its root.
    func groupKey(atomically: Bool) -> GroupKey {
      if atomically { return .zone(ZoneID(zoneID)) }
      switch self {
      case .delete(let id): return .deletion(RecordID(id))
      case .save(let record):
        if record is CKShare { return .share(RecordID(record.recordID)) }
        if let share = record.share { return .share(RecordID(share.recordID)) }
        return .record(RecordID(record.recordID))
      }
    }
  }
#endif
