import RecordModel

import struct Foundation.Data

/// All items of responses, in memory.
///
/// To read a file of any size item by item, use ``ResponseReader``.
public struct ResponseContents: Sendable {
  /// The items in the order of the responses.
  public let items: [ResponseItem]
  /// The tokens, and the zones of records and references.
  public let summary: ResponseSummary

  /// Reads responses.
  ///
  /// - Throws: ``RecordCodingError`` with the byte offset and the path of the error.
  public init(_ data: Data, reader: ResponseReader = ResponseReader()) throws {
    var items: [ResponseItem] = []
    summary = try data.withUnsafeBytes { try reader.read($0) { items.append($0) } }
    self.items = items
  }

  private func all<T>(_ extract: (ResponseItem) -> T?) -> [T] { items.compactMap(extract) }

  /// The records in the order of the responses, including duplicates.
  public var records: [ResultRecord] {
    all { if case .record(let record) = $0 { record } else { nil } }
  }

  /// The deleted records.
  public var tombstones: [DeletedRecord] {
    all { if case .tombstone(let tombstone) = $0 { tombstone } else { nil } }
  }

  /// The zones in responses that list zones.
  public var zones: [RecordZone] {
    all { if case .zone(let zone) = $0 { zone } else { nil } }
  }

  /// The deleted zones.
  public var deletedZones: [ZoneID] {
    all { if case .deletedZone(let zoneID) = $0 { zoneID } else { nil } }
  }

  /// The subscriptions.
  public var subscriptions: [CloudSubscription] {
    all { if case .subscription(let subscription) = $0 { subscription } else { nil } }
  }

  /// The errors in place of records or zones.
  public var errors: [ResponseErrorItem] {
    all { if case .error(let error) = $0 { error } else { nil } }
  }

  /// The parts that could not be read.
  public var unread: [RecordCodingError] {
    all { if case .unread(let error) = $0 { error } else { nil } }
  }

  /// All zones, sorted by identity: those in lists, with the members that records add, and those of
  /// records.
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
