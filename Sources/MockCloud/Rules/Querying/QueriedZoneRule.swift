import RecordModel
import RecordStore

/// A query names a zone that exists; in the shared database it has to name one.
///
/// Sources: Apple's documentation of `CKDatabase.fetch(withQuery:inZoneWith:…)`; the message is
/// reported by pyicloud and others.
enum QueriedZoneRule {
  static func check(
    _ zoneID: ZoneID?, in scope: DatabaseScope, _ snapshot: ContainerSnapshot
  ) throws {
    guard let zoneID else {
      guard scope != .shared else {
        throw CloudError(.invalidArguments, "SharedDB does not support Zone Wide queries")
      }
      return
    }
    if try snapshot.zone(zoneID, in: scope) == nil {
      throw try snapshot.missingZone(zoneID, in: scope)
    }
  }
}
