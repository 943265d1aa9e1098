import RecordModel

extension Subscription {
  /// The zone whose changes are told; nil for those of a whole database.
  var watchedZone: ZoneID? {
    switch kind {
    case .query(_, let zoneID, _, _): zoneID
    case .zone(let zoneID, _): zoneID
    case .database: nil
    }
  }
}
