import struct Foundation.Date

/// A record zone (`CKRecordZone`).
///
/// ```swift
/// let zoneID = ZoneID(zoneName: "Chats")
/// try await database.save(RecordZone(zoneID: zoneID))
/// ```
public struct RecordZone: Sendable, Hashable, Identifiable {
  /// A capability of a zone (`CKRecordZone.Capabilities`).
  public enum Capability: String, Sendable, Hashable, CaseIterable {
    /// The zone has a change feed.
    case fetchChanges = "FETCH_CHANGES"
    /// A batch of saves either succeeds or fails as a whole.
    case atomic = "ATOMIC"
    /// Hierarchies of records in the zone can be shared.
    case sharing = "SHARING"
    /// The zone can be shared as a whole.
    case zoneWideSharing = "ZONE_WIDE_SHARING"
  }

  /// The zone's name and owner.
  public var zoneID: ZoneID
  /// The capabilities of the zone.
  public var capabilities: Set<Capability>
  /// The share of the whole zone, if any.
  public var share: Reference?
  /// The JSON members that this model has no property for.
  public var otherMembers: OtherMembers

  /// Creates a zone.
  ///
  /// - Parameters:
  ///   - zoneID: the identity of the zone.
  ///   - capabilities: nil for those of a private database: none for the default zone, all for any
  ///     other.
  ///   - share: a reference to the share of the whole zone, if it is shared.
  ///   - otherMembers: the JSON members that this model has no property for.
  public init(
    zoneID: ZoneID, capabilities: Set<Capability>? = nil, share: Reference? = nil,
    otherMembers: OtherMembers = []
  ) {
    self.zoneID = zoneID
    self.capabilities =
      capabilities ?? (zoneID.isDefault ? [] : Set(Capability.allCases))
    self.share = share
    self.otherMembers = otherMembers
  }

  /// Creates a zone that the signed-in user owns.
  public init(zoneName: String) {
    self.init(zoneID: ZoneID(zoneName: zoneName))
  }

  /// The identity of the zone.
  public var id: ZoneID { zoneID }
}

/// A deleted zone, as the change feed reports it.
public struct DeletedZone: Sendable, Hashable {
  /// Why a zone is gone (`CKDatabase.DatabaseChange.Deletion.Reason`).
  public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
    /// The app deleted the zone, or the user no longer takes part in its share.
    case deleted
    /// The user deleted the app's data in the settings.
    case purged
    /// The user reset the encrypted data of the account.
    case encryptedDataReset
  }

  /// The identity of the deleted zone.
  public var zoneID: ZoneID
  /// Why the zone is gone.
  public var reason: Reason

  /// Creates a tombstone.
  public init(zoneID: ZoneID, reason: Reason = .deleted) {
    self.zoneID = zoneID
    self.reason = reason
  }
}

/// A deleted record, as the change feed reports it.
public struct DeletedRecord: Sendable, Hashable {
  /// The identity of the deleted record.
  public var recordID: RecordID
  /// The type of the record, if known; Web Services do not send it.
  @ExactText public var recordType: String?
  /// The change tag of the deletion, if known.
  @ExactText public var recordChangeTag: String?
  /// The time of the deletion, if known.
  public var deletionDate: Date?
  /// The JSON members that this model has no property for.
  public var otherMembers: OtherMembers

  /// Creates a tombstone.
  public init(
    recordID: RecordID, recordType: String? = nil, recordChangeTag: String? = nil,
    deletionDate: Date? = nil, otherMembers: OtherMembers = []
  ) {
    self.recordID = recordID
    self.recordType = recordType
    self.recordChangeTag = recordChangeTag
    self.deletionDate = deletionDate
    self.otherMembers = otherMembers
  }

  /// Whether all properties are equal, the dates by their bits, as in a ``RecordValue``.
  public static func == (lhs: DeletedRecord, rhs: DeletedRecord) -> Bool {
    lhs.recordID == rhs.recordID && lhs.recordType.sameScalars(as: rhs.recordType)
      && lhs.recordChangeTag.sameScalars(as: rhs.recordChangeTag)
      && lhs.deletionDate?.bits == rhs.deletionDate?.bits && lhs.otherMembers == rhs.otherMembers
  }
}
