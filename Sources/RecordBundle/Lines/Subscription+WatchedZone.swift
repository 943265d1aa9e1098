import RecordModel

extension Subscription {
  /// The zone that the subscription watches; nil for a whole database.
  var watchedZone: ZoneID? {
    switch kind {
    case .query(_, let zoneID, _, _): zoneID
    case .zone(let zoneID, _): zoneID
    case .database: nil
    }
  }
}
