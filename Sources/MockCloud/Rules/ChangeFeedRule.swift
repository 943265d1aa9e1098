import RecordModel

/// Only private and shared databases, and their zones other than the default zone, have a change
/// feed.
///
/// Sources: Apple's documentation of `CKFetchDatabaseChangesOperation` and `CKRecordZone`; the
/// message for the default zone was seen by MistKit (`encrypted-fields-adp-probe`).
enum ChangeFeedRule {
  static func check(_ scope: DatabaseScope) throws(CloudError) {
    guard scope == .public else { return }
    throw CloudError(.invalidArguments, "cannot get changes in the public database")
  }

  static func check(_ zoneID: ZoneID, in scope: DatabaseScope) throws(CloudError) {
    guard zoneID.isDefault || scope == .public else { return }
    throw CloudError(.invalidArguments, "cannot get changes in default zone")
  }
}
