import RecordCoding
import RecordModel

extension SaveRule {
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
    // Who it is, is personal data.
    throw CloudError(
      .invalidArguments, "a participant cannot be added to a share with a public permission")
  }
}

extension ShareParticipant {
  /// What tells a participant from others.
  var identity: [String] {
    let lookup = userIdentity.lookupInfo
    return [
      userIdentity.userRecordName, lookup?.userRecordName, lookup?.emailAddress,
      lookup?.phoneNumber, participantID,
    ].compactMap(\.self).prefix(1).map(\.self)
  }
}
