import RecordModel

/// The tokens and other members of a response, without its items.
public struct ResponsePage: Sendable, Hashable {
  /// The token for fetching later changes.
  public var syncToken: String?
  /// The token for fetching the next page of a query; nil on the last page.
  public var continuationMarker: String?
  /// Whether there are more changes to fetch.
  public var moreComing: Bool
  /// The zone, in a response with changes in several zones.
  public var zoneID: ZoneID?
  /// The JSON members that this model has no property for.
  public var otherMembers: OtherMembers
}

/// The tokens and zones of responses, without their items.
public struct ResponseSummary: Sendable {
  /// The pages: one for each response, and one for each zone in a response with changes in several
  /// zones.
  public internal(set) var pages: [ResponsePage] = []
  /// The zones of the records, sorted, with the `zoneType` that the records contain.
  public internal(set) var recordZones: [RecordZone] = []
  /// The zones of references, sorted.
  public internal(set) var referencedZones: [RecordZone] = []

  /// Whether the server has more items, according to the last page.
  public var isIncomplete: Bool {
    pages.last.map { $0.moreComing || $0.continuationMarker != nil } ?? false
  }
}
