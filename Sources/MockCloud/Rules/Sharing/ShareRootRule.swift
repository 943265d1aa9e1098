import RecordModel

extension SaveRule {
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
    _ save: PendingSave, _ share: RecordID, _ request: ModifyRequest
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

extension ModifyRequest {
  /// Returns the share of a record above another one; nil if there is none.
  fileprivate func share(above save: PendingSave) throws -> RecordID? {
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
