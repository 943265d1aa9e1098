import RecordModel

import struct Foundation.Data

/// Everything in a file of Web Services responses, in memory.
///
/// For a file of any size, ``WebServicesReader`` goes through it item by item.
public struct WebServicesResponse: Sendable {
  /// Everything the responses hold, in the order it came.
  public private(set) var items: [WebServicesItem] = []
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
    let summary = try items { response.items.append($0) }
    response.summary = summary
    self = response
  }

  private init() {}

  private func all<T>(_ extract: (WebServicesItem) -> T?) -> [T] { items.compactMap(extract) }

  /// The records, in the order they came; one that came twice is there twice.
  public var records: [ResultRecord] {
    all { if case .record(let record) = $0 { record } else { nil } }
  }

  /// The records that were deleted.
  public var tombstones: [Tombstone] {
    all { if case .tombstone(let tombstone) = $0 { tombstone } else { nil } }
  }

  /// The zones that responses about zones list.
  public var zones: [RecordZone] {
    all { if case .zone(let zone) = $0 { zone } else { nil } }
  }

  /// The zones that were deleted.
  public var deletedZones: [ZoneID] {
    all { if case .deletedZone(let zoneID) = $0 { zoneID } else { nil } }
  }

  /// The subscriptions.
  public var subscriptions: [Subscription] {
    all { if case .subscription(let subscription) = $0 { subscription } else { nil } }
  }

  /// What the server answered in place of records or zones.
  public var errors: [WebServicesErrorItem] {
    all { if case .error(let error) = $0 { error } else { nil } }
  }

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
