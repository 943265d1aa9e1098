import RecordCoding
import RecordModel

/// Checks whether responses contain the zones and record types of a filter. Responses are read
/// once, so the result is known only at the end.
struct SelectionCheck {
  private let filter: RecordFilter
  private var zones: Set<ZoneID> = []
  private var types: NameSet = []

  init(_ filter: RecordFilter) { self.filter = filter }

  /// Records the zones and types of a response, selected or not.
  mutating func note(_ response: ResponseContents) {
    zones.formUnion(response.allZones.map(\.zoneID))
    for item in response.items {
      switch item {
      case .record(let record): note(record.recordType, record.recordID.zoneID)
      case .tombstone(let tombstone): note(tombstone.recordType, tombstone.recordID.zoneID)
      case .zone(let zone): zones.insert(zone.zoneID)
      case .deletedZone(let zoneID): zones.insert(zoneID)
      case .subscription, .error, .unread: break
      }
    }
  }

  private mutating func note(_ type: String?, _ zoneID: ZoneID) {
    zones.insert(zoneID)
    guard let type, filter.zoneIDs?.contains(zoneID) != false else { return }
    types.insert(type)
  }

  /// - Throws: ``ImportError/notSelected(_:known:)`` for the first zone or type that no response
  ///   has.
  func finish() throws {
    if let zone = (filter.zoneIDs ?? []).sorted().first(where: { !zones.contains($0) }) {
      throw ImportError.notSelected("zone '\(zone)'", known: zones.sorted().map(\.description))
    }
    if let type = filter.recordTypes?.names.first(where: { !types.contains($0) }) {
      throw ImportError.notSelected("record type '\(type)'", known: types.names)
    }
  }
}
