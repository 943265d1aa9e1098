import RecordModel

/// Checks the names of zones and subscriptions as the server does. An import does not check them.
///
/// Sources: Apple's documentation of `CKRecordZone.ID` (ASCII, at most 255 characters, no leading
/// `_`, which is reserved for the server); for the rest, the strictest limits that can work.
struct NameCheck {
  let limits: RecordLimits

  /// - Throws: CloudKit's `invalidArguments`.
  func check(_ zoneID: ZoneID) throws(CloudError) {
    let name = zoneID.zoneName
    try check(name, "zone name", 1...max(1, limits.zoneNameLength))
    try check(zoneID.ownerName, "owner of a zone", 1...max(1, limits.recordNameLength))
    guard zoneID.isDefault || !name.hasPrefix("_") else {
      throw CloudError(
        .invalidArguments,
        "the zone name '\(name)' starts with '_', which is reserved for the server")
    }
  }

  /// - Throws: CloudKit's `invalidArguments`.
  func check(_ subscription: CloudSubscription) throws(CloudError) {
    try check(
      subscription.subscriptionID, "subscription identifier", 1...max(1, limits.recordNameLength))
    switch subscription.kind {
    case .query(_, let zoneID?, _, _), .zone(let zoneID, _): try check(zoneID)
    case .query, .database: break
    }
  }

  private func check(
    _ text: String, _ what: String, _ length: ClosedRange<Int>
  ) throws(CloudError) {
    let count = text.utf8.count
    guard length.contains(count), text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
      let found = length.contains(count) ? "characters that are not ASCII" : "\(count) characters"
      throw CloudError(
        .invalidArguments,
        "a \(what) has \(found); \(length.lowerBound) to \(length.upperBound) printable ASCII "
          + "characters are allowed")
    }
  }
}
