import RecordModel
import RecordStore

/// A query names a zone that exists; in the shared database it has to name one.
///
/// Sources: Apple's documentation of `CKDatabase.fetch(withQuery:inZoneWith:…)`; the message is
/// reported by pyicloud and others.
enum QueriedZoneRule {
  /// - Returns: where the zone lies; nil for a query of all zones.
  static func check(_ zoneID: ZoneID?, _ snapshot: AccountSnapshot) throws -> StoredZone? {
    guard let zoneID else {
      guard snapshot.view.scope != .shared else {
        throw CloudError(.invalidArguments, "SharedDB does not support Zone Wide queries")
      }
      return nil
    }
    guard let zone = try snapshot.stored(zoneID) else { throw try snapshot.missingZone(zoneID) }
    return zone
  }
}
