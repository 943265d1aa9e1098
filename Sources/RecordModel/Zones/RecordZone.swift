/// A record zone (`CKRecordZone`).
public struct RecordZone: Sendable, Hashable, Identifiable {
  /// What a zone can do (`CKRecordZone.Capabilities`).
  public enum Capability: String, Sendable, Hashable, CaseIterable {
    /// The zone has a change feed.
    case fetchChanges = "FETCH_CHANGES"
    /// A batch of saves succeeds or fails as a whole.
    case atomic = "ATOMIC"
    /// Hierarchies of records in it can be shared.
    case sharing = "SHARING"
    /// The zone can be shared as a whole.
    case zoneWideSharing = "ZONE_WIDE_SHARING"
  }

  /// The zone's name and owner.
  public var zoneID: ZoneID
  /// What the zone can do.
  public var capabilities: Set<Capability>
  /// The share of the whole zone, where there is one.
  public var share: Reference?
  /// What a server sent that this model does not know.
  public var otherMembers: OtherMembers

  /// Makes a zone; by default with the capabilities zones of that name have in the private
  /// database: none for the default zone, all for a custom one.
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

  /// Makes a zone of the signed-in user.
  public init(zoneName: String) {
    self.init(zoneID: ZoneID(zoneName: zoneName))
  }

  /// The zone's identity; what `Identifiable` goes by.
  public var id: ZoneID { zoneID }
}
