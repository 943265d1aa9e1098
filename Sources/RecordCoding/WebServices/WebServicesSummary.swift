import RecordModel

/// What a Web Services response says of itself, beside what it holds.
public struct WebServicesPage: Sendable, Hashable {
  /// Where the next fetch of changes goes on.
  public var syncToken: String?
  /// Where the next page of a query begins; nil on the last page.
  public var continuationMarker: String?
  /// Whether there are more changes to fetch.
  public var moreComing: Bool
  /// The zone, in a response that has a page for each of several.
  public var zoneID: ZoneID?
  /// What a server sent that this model does not know.
  public var otherMembers: OtherMembers
}

/// What a reader learns from a whole file of Web Services responses, beside the items in it.
public struct WebServicesSummary: Sendable {
  /// One entry for each response in the file: several where it holds a `batch`.
  public internal(set) var pages: [WebServicesPage] = []
  /// The zones in which the records lie, in order; with the `zoneType` that the records tell.
  public internal(set) var recordZones: [RecordZone] = []
  /// The zones that references point to, in order.
  public internal(set) var referencedZones: [RecordZone] = []

  /// Whether a page is missing: the server had more than the file holds.
  public var isIncomplete: Bool {
    pages.last.map { $0.moreComing || $0.continuationMarker != nil } ?? false
  }
}

extension ZoneCollector {
  /// The gathered zones, sorted.
  func zones(_ zones: [ZoneID: OtherMembers]) -> [RecordZone] {
    zones.keys.sorted().map { RecordZone(zoneID: $0, otherMembers: zones[$0] ?? []) }
  }
}
