/// A record zone (`CKRecordZone`).
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
