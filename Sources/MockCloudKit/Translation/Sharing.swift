import Foundation
import RecordCoding
import RecordModel

extension Share {
  /// The owner of a share that was never saved is added by the server.
  init(_ state: ShareState) {
    let participants = state.participants.filter { !$0.isPlaceholder }
    self.init(
      publicPermission: .init(state.publicPermission),
      participants: participants.map { ShareParticipant($0) },
      owner: state.owner.isPlaceholder ? nil : ShareParticipant(state.owner),
      currentUserParticipant: state.currentUserParticipant.flatMap {
        $0.isPlaceholder ? nil : ShareParticipant($0)
      },
      shortGUID: state.shortGUID, url: state.url)
    allowsAccessRequests = state.allowsAccessRequests
    requesters = state.requesters.map { UserIdentity($0.userIdentity) }
    blockedIdentities = state.blockedIdentities.map { UserIdentity($0.userIdentity) }
  }
}

extension ShareState {
  init(_ share: Share) {
    let current = share.currentUserParticipant
    let participants = share.participants.map {
      CKShare.Participant($0, isCurrentUser: current?.isSame(as: $0) ?? false)
    }
    let owner = participants.first { $0.role == .owner }
    self.init(
      .init(share.publicPermission), participants,
      owner: owner ?? share.owner.map { CKShare.Participant($0) } ?? ShareState().owner,
      url: share.url, shortGUID: share.shortGUID)
    allowsAccessRequests = share.allowsAccessRequests
    setRequests(
      share.requesters.map { CKUserIdentity($0) },
      blocked: share.blockedIdentities.map { CKUserIdentity($0) })
    for participant in share.participants {
      if let id = participant.participantID { links[id] = share.oneTimeURL(for: id) }
    }
  }
}

extension CKShare.Participant {
  convenience init(_ participant: ShareParticipant, isCurrentUser: Bool = false) {
    self.init(
      CKUserIdentity(participant.userIdentity), .init(participant.role),
      .init(participant.permission), .init(participant.acceptanceStatus),
      id: participant.participantID, isCurrentUser: isCurrentUser)
    isApprovedRequester = participant.isApprovedRequester
    dateAddedToShare = participant.dateAddedToShare
    if participant.isOneTime { setOneTime() }
  }

  /// Whether this is the owner of a share that was never saved.
  fileprivate var isPlaceholder: Bool {
    role == .owner && userIdentity.userRecordID?.recordName == CKCurrentUserDefaultName
      && !hasServerID
  }
}

extension ShareParticipant {
  fileprivate func isSame(as other: ShareParticipant) -> Bool {
    if let participantID { return participantID == other.participantID }
    return userIdentity.userRecordName == other.userIdentity.userRecordName
  }

  fileprivate init(_ participant: CKShare.Participant) {
    self.init(
      participantID: participant.hasServerID ? participant.participantID : nil,
      role: .init(participant.role), permission: .init(participant.permission),
      acceptanceStatus: .init(participant.acceptanceStatus),
      userIdentity: UserIdentity(participant.userIdentity))
    isOneTime = participant.isOneTime
    isApprovedRequester = participant.isApprovedRequester
    dateAddedToShare = participant.dateAddedToShare
  }
}

extension UserIdentity {
  fileprivate init(_ identity: CKUserIdentity) {
    let info = identity.lookupInfo
    self.init(
      userRecordName: identity.userRecordID?.recordName,
      nameComponents: identity.nameComponents.map { NameComponents($0) },
      lookupInfo: info.map {
        LookupInfo(
          emailAddress: $0.emailAddress, phoneNumber: $0.phoneNumber,
          userRecordName: $0.userRecordID?.recordName)
      })
  }
}

extension CKUserIdentity {
  convenience init(_ identity: UserIdentity) {
    let info = identity.lookupInfo.map {
      LookupInfo(
        email: $0.emailAddress, phone: $0.phoneNumber,
        id: $0.userRecordName.map { CKRecord.ID(recordName: $0) })
    }
    self.init(
      identity.userRecordName.map { CKRecord.ID(recordName: $0) }, info,
      identity.nameComponents.map { PersonNameComponents($0) })
  }
}

extension UserIdentity.NameComponents {
  fileprivate init(_ name: PersonNameComponents) {
    self.init(
      namePrefix: name.namePrefix, givenName: name.givenName, middleName: name.middleName,
      familyName: name.familyName, nameSuffix: name.nameSuffix, nickname: name.nickname)
  }
}

extension PersonNameComponents {
  fileprivate init(_ name: UserIdentity.NameComponents) {
    self.init()
    namePrefix = name.namePrefix
    givenName = name.givenName
    middleName = name.middleName
    familyName = name.familyName
    nameSuffix = name.nameSuffix
    nickname = name.nickname
  }
}
