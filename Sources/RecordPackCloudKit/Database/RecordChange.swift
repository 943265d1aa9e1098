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
      /// The same record, or a share and its root; the identifier is that of the share.
      case record(RecordID)
    }

    /// Returns what the change has in common with those that are sent in one request with it: the
    /// zone if the changes of a zone are atomic, and else the record, or the share of a new share and
    /// its root. A default zone cannot save atomically.
    ///
    /// CloudKit refuses to save and delete a record in one request; in two, it would do both.
    func groupKey(atomically: Bool) -> GroupKey {
      let zoneID = ZoneID(zoneID)
      if atomically && !zoneID.isDefault { return .zone(zoneID) }
      switch self {
      case .delete(let id): return .record(RecordID(id))
      case .save(let record): return .record(RecordID(record.share?.recordID ?? record.recordID))
      }
    }
  }
#endif
