import RecordCoding
import RecordModel

extension ResultRecord {
  /// Returns a share as the server sends it to a participant.
  ///
  /// A participant who has not accepted yet is seen by the owner, and by that participant. Source:
  /// the Tact blog on shares.
  func shown(to user: String) -> ResultRecord {
    guard var share = shareInfo else { return self }
    share.participants.removeAll { $0.isHidden(from: user) }
    share.currentUserParticipant = share.participant(user)
    return replacingShareInfo(share)
  }

  /// Returns a share with other special members.
  func replacingShareInfo(_ share: Share) -> ResultRecord {
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
