import RecordModel

extension SaveRule {
  /// A share is in a private database's zone other than the default zone. A zone that is shared as a
  /// whole has no other share, and a share of a zone has the name `cloudkit.zoneshare`.
  ///
  /// Sources: Apple's documentation of `CKShare` and of `CKRecordNameZoneWideShare`.
  static let shareZone = SaveRule { save, request in
    let isShare = save.draft.recordType == Share.recordType
    let isZoneWide = save.recordID.isZoneWideShare
    guard isShare || isZoneWide else { return }
    guard isShare else {
      throw CloudError(
        .invalidArguments,
        "the record name '\(Share.zoneWideRecordName)' is that of a zone's share")
    }
    let zoneID = save.recordID.zoneID
    guard request.scope != .public, !zoneID.isDefault else {
      throw CloudError(
        .invalidArguments, "records of the default zone and of the public database cannot be shared"
      )
    }
    guard save.stored == nil else { return }
    let others = try request.shares(in: zoneID).filter { $0 != save.recordID }
    guard let other = others.first(where: { isZoneWide || $0.isZoneWideShare }) else { return }
    throw CloudError(
      .alreadyShared,
      "zone '\(zoneID)' has the share '\(other.recordName)'; a zone is shared as a whole, or record "
        + "by record")
  }
}

extension ZoneID {
  fileprivate static let zoneWideShareName = CompactName(Share.zoneWideRecordName)

  /// The identity of a zone-wide share.
  var zoneWideShare: RecordID {
    RecordID(recordName: Share.zoneWideRecordName, zoneID: self)
  }
}

extension RecordID {
  /// Whether it is the identity of a zone-wide share.
  var isZoneWideShare: Bool { packedName == ZoneID.zoneWideShareName }
}
