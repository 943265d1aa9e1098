import RecordModel

extension SaveRule {
  /// At most 750 records refer to one record with `deleteSelf`.
  ///
  /// Sources: Apple's documentation of `CKRecord.Reference`; the message in SyncKit #192.
  static let owningReferences = SaveRule { save, request in
    guard !save.owners.isEmpty else { return }
    let before = save.stored.map { Set($0.owners) } ?? []
    for owner in save.owners where !before.contains(owner) {
      let count = try request.referrers(to: owner, as: .owner, upTo: save).count
      guard count > request.rules.maxOwningReferences
      else { continue }
      throw CloudError(
        .limitExceeded, "Limit exceeded for number of owning references to single record")
    }
  }
}

extension ResultRecord {
  /// The records of its zone that this one is deleted with.
  var owners: [RecordID] {
    let owners = references.map(\.reference).filter { $0.action == .deleteSelf }.map(\.recordID)
    return owners.isEmpty ? [] : owners.filter { $0.zoneID == recordID.zoneID }
  }
}
