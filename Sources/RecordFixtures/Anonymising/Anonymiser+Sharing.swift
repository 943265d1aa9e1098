import RecordCoding
import RecordModel

extension Anonymiser {
  /// Replaces the members of a record that only shares have.
  ///
  /// - Throws: `RecordCodingError` if they are invalid.
  func shareMembers(of record: SystemFields) throws -> OtherMembers {
    guard record.recordType == Share.recordType else { return [] }
    guard let share = try ResultRecord(systemFields: record, fields: []).readShareInfo() else {
      return []
    }
    var draft = DraftRecord(recordType: Share.recordType, recordID: record.recordID)
    draft.shareInfo = self.share(share)
    return draft.otherMembers
  }

  func share(_ share: Share) -> Share {
    let guid = share.shortGUID.map(name)
    return Share(
      publicPermission: share.publicPermission, participants: share.participants.map(participant),
      owner: share.owner.map(participant),
      currentUserParticipant: share.currentUserParticipant.map(participant), shortGUID: guid,
      // The fragment of the URL is the share's title.
      url: share.url.map {
        "https://www.icloud.com/share/" + (guid ?? String(digest($0).prefix(22)))
      })
  }

  /// The number of members of participants that this version does not know.
  static func droppedMembers(of share: Share) -> Int {
    let people = share.participants + [share.owner, share.currentUserParticipant].compactMap { $0 }
    return people.reduce(0) { count, person in
      let identity = person.userIdentity
      return count + person.otherMembers.count + identity.otherMembers.count
        + (identity.nameComponents?.otherMembers.count ?? 0)
        + (identity.lookupInfo?.otherMembers.count ?? 0)
    }
  }

  private func participant(_ participant: ShareParticipant) -> ShareParticipant {
    ShareParticipant(
      participantID: participant.participantID.map(name), role: participant.role,
      permission: participant.permission, acceptanceStatus: participant.acceptanceStatus,
      userIdentity: identity(participant.userIdentity))
  }

  func identity(_ identity: UserIdentity) -> UserIdentity {
    UserIdentity(
      userRecordName: identity.userRecordName.map(name),
      nameComponents: identity.nameComponents.map(components),
      lookupInfo: identity.lookupInfo.map(lookupInfo))
  }

  func components(_ name: UserIdentity.NameComponents) -> UserIdentity.NameComponents {
    UserIdentity.NameComponents(
      namePrefix: name.namePrefix.map(words.name), givenName: name.givenName.map(words.name),
      middleName: name.middleName.map(words.name), familyName: name.familyName.map(words.name),
      nameSuffix: name.nameSuffix.map(words.name), nickname: name.nickname.map(words.name))
  }

  func lookupInfo(_ info: UserIdentity.LookupInfo) -> UserIdentity.LookupInfo {
    UserIdentity.LookupInfo(
      emailAddress: info.emailAddress.map { words.email($0) ?? texts.text($0) },
      phoneNumber: info.phoneNumber.map { texts.phone($0) ?? texts.text($0) },
      userRecordName: info.userRecordName.map(name))
  }
}
