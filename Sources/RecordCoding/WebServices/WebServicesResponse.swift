import RecordModel

import struct Foundation.Data

/// Everything in a file of Web Services responses, in memory.
///
/// For a file of any size, ``WebServicesReader`` goes through it item by item.
public struct WebServicesResponse: Sendable {
  /// The records, in the order they came; one that came twice is there twice.
  public private(set) var records: [ResultRecord] = []
  /// The records that were deleted.
  public private(set) var tombstones: [Tombstone] = []
  /// The zones that responses about zones list.
  public private(set) var zones: [RecordZone] = []
  /// The zones that were deleted.
  public private(set) var deletedZones: [ZoneID] = []
  /// The subscriptions.
  public private(set) var subscriptions: [Subscription] = []
  /// What the server answered in place of records or zones.
  public private(set) var errors: [WebServicesErrorItem] = []
  /// Tokens, and the zones that records and references name.
  public private(set) var summary = WebServicesSummary()

  /// Reads responses.
  ///
  /// - Throws: ``RecordCodingError`` with byte offset and path.
  public init(_ data: Data, reader: WebServicesReader = WebServicesReader()) throws {
    try self.init(items: { body in
      try data.withUnsafeBytes { try reader.read($0, body) }
    })
  }

  private init(
    items: ((WebServicesItem) throws -> Void) throws -> WebServicesSummary
  ) throws {
    var response = Self()
    let summary = try items { item in
      switch item {
      case .record(let record): response.records.append(record)
      case .tombstone(let tombstone): response.tombstones.append(tombstone)
      case .zone(let zone): response.zones.append(zone)
      case .deletedZone(let zoneID): response.deletedZones.append(zoneID)
      case .subscription(let subscription): response.subscriptions.append(subscription)
      case .error(let error): response.errors.append(error)
      }
    }
    response.summary = summary
    self = response
  }

  private init() {}

  /// Every zone the responses tell of, in order: those listed, with what records know of them, and
  /// those that only records lie in.
  public var allZones: [RecordZone] {
    var known: [ZoneID: RecordZone] = [:]
    for zone in zones + summary.recordZones {
      guard var earlier = known[zone.zoneID] else {
        known[zone.zoneID] = zone
        continue
      }
      for member in zone.otherMembers { earlier.otherMembers.set(member.name, to: member.value) }
      known[zone.zoneID] = earlier
    }
    return known.values.sorted { $0.zoneID < $1.zoneID }
  }
}
