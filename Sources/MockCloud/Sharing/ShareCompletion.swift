import RecordModel

/// Adds the server's parts to a share that is saved: the owner, identifiers, the link, and the
/// participants that a change of its public permission leaves.
struct ShareCompletion {
  /// The record name of the user who saves the share.
  let user: String
  /// Whether the user is the owner of the share's zone.
  let isOwner: Bool
  /// The share as it is stored; nil for a new one.
  let stored: Share?
  /// The record that the share is about; nil for the share of a zone.
  var root: RecordID?

  /// Returns the share to store.
  func result(of share: Share, _ recordID: RecordID) -> Share {
    var result = share
    // A later share of the same root has the same link. Source: Apple's `CKShare.h` on `URL`.
    result.shortGUID =
      stored?.shortGUID
      ?? ShortHash.of((root ?? recordID).words + [user, root == nil ? "zone" : "record"])
    if !isOwner {
      result.owner = stored?.owner
      result.currentUserParticipant = stored?.currentUserParticipant
    }
    result.link = stored?.link ?? result.shortGUID.map(Share.link(ofShortGUID:))
    // A participant whom the share lists twice counts once, with the later role and permission.
    // Source: Apple's documentation of `CKShare.addParticipant(_:)`.
    var participants = share.participants.filter { $0.role != .owner }
      .reduce(into: Share()) { $0.addParticipant($1) }.participants
    if !isOwner {
      let known = Set(participants.map(\.identity))
      participants += (stored?.participants ?? [])
        .filter { $0.isHidden(from: user) && !known.contains($0.identity) }
    }
    judgeRequests(&result, &participants)
    let before = stored?.publicPermission ?? .none
    switch (before, share.publicPermission) {
    // Source: `publicPermission` in Apple's `CKShare.h`.
    case (_, .none) where before != .none: participants = []
    case (.none, let after) where after != .none:
      participants.removeAll { $0.acceptanceStatus == .pending }
    default: break
    }
    result.participants = [ownerAsParticipant] + participants
    for index in result.participants.indices where result.participants[index].participantID == nil {
      let identity = result.participants[index].userIdentity
      let words = [
        identity.userRecordName, identity.lookupInfo?.userRecordName,
        identity.lookupInfo?.emailAddress, identity.lookupInfo?.phoneNumber,
      ]
      result.participants[index].participantID =
        ShortHash.of([result.shortGUID ?? ""] + words.map { $0 ?? "" })
    }
    for index in result.participants.indices where result.participants[index].isOneTime {
      guard let id = result.participants[index].participantID else { continue }
      let known = stored?.participants.first { $0.participantID == id }?.oneTimeLink
      result.participants[index].oneTimeLink =
        known ?? Share.link(ofShortGUID: ShortHash.of([result.shortGUID ?? "", id]))
    }
    // Others are sent themselves instead (`ResultRecord.shown(to:)`).
    if isOwner { result.currentUserParticipant = result.participants.first }
    return result
  }

  /// Applies the decisions about requests for access: a requester waits until the user is approved as
  /// a participant, denied, or blocked. Only the owner and administrators decide.
  ///
  /// Source: Apple's `CKShare.h` and `CKShareParticipant.h` of the SDKs of 2025.
  private func judgeRequests(_ result: inout Share, _ participants: inout [ShareParticipant]) {
    let waiting = stored?.requesters ?? []
    guard isOwner || stored?.participant(user)?.role == .administrator else {
      result.allowsAccessRequests = stored?.allowsAccessRequests ?? false
      result.requesters = waiting
      result.blockedIdentities = stored?.blockedIdentities ?? []
      return
    }
    let blocked = result.blockedIdentities
    participants.removeAll { participant in
      blocked.contains { $0.isSame(as: participant.userIdentity) }
    }
    let known = Set((stored?.participants ?? []).map(\.identity))
    for index in participants.indices {
      let identity = participants[index].userIdentity
      guard !known.contains(participants[index].identity) else { continue }
      participants[index].isApprovedRequester = waiting.contains { $0.isSame(as: identity) }
    }
    let kept = result.requesters
    result.requesters = waiting.filter { requester in
      kept.contains { $0.isSame(as: requester) }
        && !participants.contains { $0.userIdentity.isSame(as: requester) }
    }
  }

  /// The owner, who takes part whatever a client sends. Source: Apple's documentation of `CKShare`.
  private var ownerAsParticipant: ShareParticipant {
    if let known = stored?.participants.first(where: { $0.role == .owner }) { return known }
    return ShareParticipant(
      role: .owner, permission: .readWrite, acceptanceStatus: .accepted,
      userIdentity: UserIdentity(userRecordName: user))
  }
}

extension RecordID {
  /// The names that tell the record from all others. The description does not: a name can have a `:`.
  fileprivate var words: [String] { [zoneID.ownerName, zoneID.zoneName, recordName] }
}

extension ResultRecord {
  /// Returns a share as the server stores it; other records, and shares that cannot be read, unchanged.
  ///
  /// - Parameters:
  ///   - stored: the share as it is stored.
  ///   - view: the database of the user who saves it.
  ///   - root: the record of the request that the share is about.
  func completed(
    over stored: ResultRecord?, in view: AccountView, about root: RecordID?
  ) -> ResultRecord {
    guard isShare, let share = shareInfo else { return self }
    let completion = ShareCompletion(
      user: view.user, isOwner: view.scope != .shared, stored: stored?.shareInfo,
      root: root)
    return replacingShareInfo(completion.result(of: share, recordID))
  }

  /// Returns a share as the server sends it to a participant.
  ///
  /// A participant who has not accepted yet is seen by the owner, and by that participant. Source:
  /// the Tact blog on shares.
  func shown(to user: String) -> ResultRecord {
    guard var share = shareInfo else { return self }
    share.participants.removeAll { $0.isHidden(from: user) }
    share.currentUserParticipant = share.participant(user)
    if share.currentUserParticipant?.role != .administrator {
      (share.requesters, share.blockedIdentities) = ([], [])
    }
    return replacingShareInfo(share)
  }

  /// Returns a share with other special members.
  package func replacingShareInfo(_ share: Share) -> ResultRecord {
    var draft = DraftRecord(self)
    draft.shareInfo = share
    return ResultRecord(systemFields: draft.systemFields, fields: draft.fields)
  }
}

extension ShareParticipant {
  /// Whether a participant other than the owner does not see this one.
  func isHidden(from user: String) -> Bool {
    acceptanceStatus == .pending
      && !(userIdentity.userRecordName?.sameScalars(as: user) ?? false)
  }
}
