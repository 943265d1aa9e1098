import RecordCoding
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
    guard Share.canBe(in: zoneID, of: request.scope) else {
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

  /// A share has at most 100 participants. A share with a public permission gets no new participants.
  ///
  /// Sources: Apple's documentation of `CKShare` and of `CKError.Code.tooManyParticipants`; the Tact
  /// blog on shares with a public permission.
  static let shareParticipants = SaveRule { save, request in
    guard save.draft.recordType == Share.recordType else { return }
    guard let share = save.draft.shareInfo else {
      throw CloudError(.invalidArguments, "the members of the share cannot be read")
    }
    let invited = share.participants.filter { $0.role != .owner }
    // An administrator does not see, and so does not send, participants who have not accepted yet.
    let count = max(invited.count + 1, save.merged.shareInfo?.participants.count ?? 0)
    guard count <= request.rules.maxParticipants else {
      throw CloudError(
        .tooManyParticipants,
        "the share has \(count) participants; \(request.rules.maxParticipants) are allowed")
    }
    guard let stored = save.stored?.shareInfo, stored.publicPermission != .none,
      share.publicPermission != .none
    else { return }
    let known = Set(stored.participants.map(\.identity))
    guard invited.contains(where: { !known.contains($0.identity) }) else { return }
    // The name is personal data.
    throw CloudError(
      .invalidArguments, "a participant cannot be added to a share with a public permission")
  }

  /// A new share is saved together with the record that it shares.
  ///
  /// Source: Apple's documentation of `CKShare`; sqlite-data's `MockCloudDatabase`.
  static let shareRoot = SaveRule { save, request in
    guard save.draft.recordType == Share.recordType, save.stored == nil,
      !save.recordID.isZoneWideShare
    else { return }
    guard try !request.referrers(to: save.recordID, as: .share).isEmpty else {
      throw CloudError(
        .invalidArguments,
        "the share '\(save.recordID)' is saved without its root record, which refers to it")
    }
  }

  /// A record is in one share only: neither the record nor one above or below it has another one.
  ///
  /// Source: Apple's documentation of `CKError.Code.alreadyShared`.
  static let oneShare = SaveRule { save, request in
    guard let share = save.merged.share?.recordID else {
      // A record that is moved below a shared one takes with it what is below it.
      guard save.stored != nil, save.merged.parent != save.stored?.parent,
        let above = try request.share(above: save),
        try request.share(below: save.recordID) != nil
      else { return }
      throw alreadyShared(save.recordID, above)
    }
    let before = save.stored?.share?.recordID
    guard before != share || save.merged.parent != save.stored?.parent else { return }
    if let before, before != share, try request.willExist(before) {
      throw alreadyShared(save.recordID, before)
    }
    if before != share { try checkRoot(save, share, request) }
    if let other = try request.share(above: save) { throw alreadyShared(save.recordID, other) }
    if let other = try request.share(below: save.recordID) {
      throw alreadyShared(save.recordID, other)
    }
  }

  /// Checks that a record becomes the root of a share that has no other.
  private static func checkRoot(
    _ save: SaveCandidate, _ share: RecordID, _ request: ModifyRequest
  ) throws {
    if let target = try request.record(share), !target.isShare {
      throw CloudError(
        .invalidArguments,
        "record '\(save.recordID)' names '\(share.recordName)' as its share, which is a record of "
          + "type '\(target.recordType)'")
    }
    let roots = try request.referrers(to: share, as: .share, upTo: save)
    if let root = roots.first(where: { $0 != save.recordID }) {
      throw CloudError(
        .invalidArguments,
        "the share '\(share.recordName)' has the root record '\(root.recordName)' already; "
          + "'\(save.recordID)' cannot be its root, too")
    }
  }

  private static func alreadyShared(_ recordID: RecordID, _ share: RecordID) -> CloudError {
    CloudError(
      .alreadyShared, "record '\(recordID)' belongs to the share '\(share.recordName)' already")
  }
}

extension ZoneID {
  fileprivate static let zoneWideShareName = CompactName(Share.zoneWideRecordName)

  /// The identity of a zone-wide share.
  package var zoneWideShare: RecordID {
    RecordID(recordName: Share.zoneWideRecordName, zoneID: self)
  }
}

extension RecordID {
  /// Whether it is the identity of a zone-wide share.
  var isZoneWideShare: Bool { packedName == ZoneID.zoneWideShareName }
}

extension ShareParticipant {
  /// The identity that distinguishes a participant from others.
  var identity: [String] {
    let lookup = userIdentity.lookupInfo
    return [
      userIdentity.userRecordName, lookup?.userRecordName, lookup?.emailAddress,
      lookup?.phoneNumber, participantID,
    ].compactMap(\.self).prefix(1).map(\.self)
  }
}

extension ModifyRequest {
  /// Returns the share of a record above another one; nil if there is none.
  fileprivate func share(above save: SaveCandidate) throws -> RecordID? {
    var parent = save.merged.parent?.recordID
    var seen: Set<RecordID> = [save.recordID]
    while let recordID = parent, seen.insert(recordID).inserted {
      guard let record = try record(recordID) else { return nil }
      if let share = record.share?.recordID { return share }
      parent = record.parent?.recordID
    }
    return nil
  }

  /// Returns the share of a record below another one; nil if there is none.
  fileprivate func share(below recordID: RecordID) throws -> RecordID? {
    var found = [recordID]
    var known: Set = [recordID]
    var next = 0
    while next < found.count {
      for child in try referrers(to: found[next], as: .parent) where known.insert(child).inserted {
        if let share = try record(child)?.share?.recordID { return share }
        found.append(child)
      }
      next += 1
    }
    return nil
  }
}
