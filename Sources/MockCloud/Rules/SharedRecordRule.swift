import RecordCoding
import RecordModel

/// In the shared database, a user changes what a share lets the user change.
///
/// A record is changed and created in a hierarchy or zone whose share the user has accepted with the
/// permission to write. Shares are made by the owner of the zone; participants with the role of
/// administrator change who takes part.
///
/// Sources: Apple's documentation of `CKShare` and of its participants' permissions and roles;
/// sqlite-data #312 and its `MockCloudDatabase` for records outside every share.
extension SaveRule {
  /// The user may change the stored record.
  static let sharedRecord = SaveRule { save, request in
    guard request.scope == .shared else { return }
    if let stored = save.stored {
      let level = try request.level(of: stored)
      let user = request.transaction.view.user
      let isAdministrator = stored.shareInfo?.participant(user)?.role == .administrator
      guard level == .readWrite || level > .none && isAdministrator else {
        throw notWritable(save.recordID)
      }
    } else if save.draft.recordType == Share.recordType {
      throw CloudError(
        .permissionFailure, "a share is made by the owner of its zone, not in the shared database")
    }
    guard save.merged.share?.recordID == save.stored?.share?.recordID else {
      throw CloudError(
        .permissionFailure,
        "the share of record '\(save.recordID)' is changed by the owner of its zone only")
    }
    try checkParticipants(save, request)
  }

  /// The saved record is within a share that lets the user write.
  static let sharedParent = SaveRule { save, request in
    guard request.scope == .shared else { return }
    let hasParentOfOwner = save.draft.recordType == Share.recordType || save.merged.share != nil
    guard !hasParentOfOwner || save.merged.parent == save.stored?.parent else {
      throw CloudError(
        .permissionFailure,
        "the parent of '\(save.recordID)' is outside of what is shared; its owner changes it only")
    }
    guard save.draft.recordType != Share.recordType else { return }
    guard try request.levelAfterSaving(save) == .readWrite else {
      throw notWritable(save.recordID)
    }
  }

  private static func checkParticipants(_ save: SaveCandidate, _ request: ModifyRequest) throws {
    guard let stored = save.stored?.shareInfo, let draft = save.draft.shareInfo else { return }
    let user = request.transaction.view.user
    guard stored.participant(user)?.role != .administrator else { return }
    let shown = stored.participants.filter { !$0.isHidden(from: user) }
    guard draft.participants == shown, draft.publicPermission == stored.publicPermission,
      draft.allowsAccessRequests == stored.allowsAccessRequests, draft.requesters.isEmpty,
      draft.blockedIdentities.isEmpty
    else {
      throw CloudError(
        .permissionFailure,
        "who takes part in the share '\(save.recordID)' is changed by its owner and its "
          + "administrators only")
    }
  }

  fileprivate static func notWritable(_ recordID: RecordID) -> CloudError {
    CloudError(
      .permissionFailure,
      "no share that the user has accepted lets the user write the record '\(recordID)'")
  }
}

extension ModifyRequest {
  /// Checks that the user may delete a record.
  ///
  /// Everyone who takes part may delete a share, to leave it; the request cannot delete records of
  /// the share then (sqlite-data #126). Only the owner deletes the root record of a share (Apple's
  /// `CKShare.h`).
  ///
  /// - Throws: `permissionFailure`.
  func checkAccess(deleting recordID: RecordID) throws {
    guard scope == .shared, let stored = try transaction.record(recordID) else { return }
    if stored.isShare {
      guard try level(of: stored) > .none else { throw SaveRule.notWritable(recordID) }
      return
    }
    guard stored.share == nil else {
      throw CloudError(
        .permissionFailure,
        "the record '\(recordID)' is the root of a share; its owner deletes it only")
    }
    guard try transaction.level(of: stored, accessAfterLeaving) == .readWrite else {
      throw SaveRule.notWritable(recordID)
    }
  }

  /// Returns what the user may do with a stored record.
  fileprivate func level(of stored: ResultRecord) throws -> AccessLevel {
    try transaction.level(of: stored, access)
  }

  /// Returns what the user may do with a record once the saves of the request are done.
  fileprivate func levelAfterSaving(_ save: SaveCandidate) throws -> AccessLevel {
    if let zone = transaction.view.location(of: save.recordID.zoneID),
      !transaction.view.isOfOthers(zone)
    {
      return try level(of: save.merged)
    }
    var next: ResultRecord? = save.merged
    var seen: Set<RecordID> = []
    while let record = next, seen.insert(record.recordID).inserted {
      // The stored records above the record decide, unless the request saves them, too.
      if let share = record.share { return try level(ofShare: share.recordID) }
      guard let parent = record.parent?.recordID else { break }
      next = try self.record(parent)
    }
    return try level(ofShare: save.recordID.zoneID.zoneWideShare)
  }

  private func level(ofShare recordID: RecordID) throws -> AccessLevel {
    guard let zone = transaction.view.location(of: recordID.zoneID) else { return .none }
    return try access.level(
      ofShare: RecordID(recordName: recordID.recordName, zoneID: zone.zoneID))
  }
}
