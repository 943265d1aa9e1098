import Foundation
import RecordModel

/// Encoding of the properties of a `CKShare` that other records do not have.
extension KeyedArchiveEditor {
  /// Adds a share to an archive that has none.
  mutating func setShare(_ share: Share) {
    let participants = KeyedArchiveContent.mutableArray(
      share.participants.map { .participant($0, isCurrentUser: share.isCurrentUser($0)) })
    set("PublicPermission", to: .integer(share.publicPermission.archivedNumber))
    set("Participants", to: participants)
    set("LastFetchedParticipants", to: participants)
    set("AddedParticipantIDs", to: .mutableSet([]))
    set("RemovedParticipantIDs", to: .mutableSet([]))
    set("URL", to: .orNull(share.url, KeyedArchiveContent.url))
  }

  /// Updates the share in the archive that it was decoded from.
  ///
  /// Unchanged participants are preserved, including unknown keys; of a changed one, only the
  /// changed keys are replaced.
  mutating func replaceShare(with share: Share, in record: KeyedArchiveNode) throws {
    let old = try record.share() ?? Share()
    if old.publicPermission != share.publicPermission {
      set("PublicPermission", to: .integer(share.publicPermission.archivedNumber))
    }
    if !old.url.sameScalars(as: share.url) {
      set("URL", to: .orNull(share.url, KeyedArchiveContent.url))
    }
    let nodes = try record.child("Participants")?.elements(
      limit: KeyedArchiveNode.maxParticipantCount, { $0 })
    var indices: [ExactString: Int] = [:]
    for (index, participant) in old.participants.enumerated() {
      if let id = participant.participantID { indices[ExactString(id)] = index }
    }
    let contents = try share.participants.map { participant in
      let isCurrentUser = share.isCurrentUser(participant)
      guard let index = participant.participantID.flatMap({ indices[ExactString($0)] }),
        let node = nodes?[index]
      else { return KeyedArchiveContent.participant(participant, isCurrentUser: isCurrentUser) }
      let wasCurrentUser = try node.child("IsCurrentUser")?.bool() ?? false
      let before = KeyedArchiveContent.members(
        of: old.participants[index], isCurrentUser: wasCurrentUser)
      let after = KeyedArchiveContent.members(of: participant, isCurrentUser: isCurrentUser)
      for (before, after) in zip(before, after) where before.value != after.value {
        set(after.key, to: after.value, in: node)
      }
      return .existing(node)
    }
    set("Participants", to: .mutableArray(contents))
  }
}

extension Share {
  /// Whether this is the signed-in user's participant, even if it was edited.
  fileprivate func isCurrentUser(_ participant: ShareParticipant) -> Bool {
    guard let current = currentUserParticipant else { return false }
    guard let id = current.participantID else { return participant == current }
    return participant.participantID == id
  }
}

extension KeyedArchiveNode {
  /// Whether the archive already contains this share, apart from properties that archives cannot
  /// contain.
  func contains(_ share: Share) throws -> Bool {
    guard let own = try self.share() else { return false }
    return own.publicPermission == share.publicPermission && own.url == share.url
      && own.participants == share.participants
      && own.participants.map(own.isCurrentUser) == share.participants.map(share.isCurrentUser)
  }
}

extension KeyedArchiveContent {
  /// Returns a `CKShareParticipant`.
  fileprivate static func participant(
    _ participant: ShareParticipant, isCurrentUser: Bool
  ) -> KeyedArchiveContent {
    .object(
      class: ["CKShareParticipant", "NSObject"],
      members: members(of: participant, isCurrentUser: isCurrentUser))
  }

  fileprivate static func members(
    of participant: ShareParticipant, isCurrentUser: Bool
  ) -> [(key: String, value: KeyedArchiveContent)] {
    [
      ("ParticipantID", .orNull(participant.participantID, KeyedArchiveContent.string)),
      ("Type", .integer(participant.role.archivedNumber)),
      ("Permission", .integer(participant.permission.archivedNumber)),
      ("AcceptanceStatus", .integer(participant.acceptanceStatus.archivedNumber)),
      ("IsCurrentUser", .bool(isCurrentUser)),
      ("UserIdentity", .userIdentity(participant.userIdentity)),
    ]
  }

  /// Returns a `CKUserIdentity`.
  private static func userIdentity(_ identity: UserIdentity) -> KeyedArchiveContent {
    .object(
      class: ["CKUserIdentity", "NSObject"],
      members: [
        ("UserRecordID", .orNull(identity.userRecordName, user)),
        ("NameComponents", .orNull(identity.nameComponents, names)),
        ("LookupInfo", .orNull(identity.lookupInfo, lookupInfo)),
      ])
  }

  private static func names(_ names: UserIdentity.NameComponents) -> KeyedArchiveContent {
    let parts = [
      ("namePrefix", names.namePrefix), ("givenName", names.givenName),
      ("middleName", names.middleName), ("familyName", names.familyName),
      ("nameSuffix", names.nameSuffix), ("nickname", names.nickname),
      ("phoneticRepresentation", nil),
    ]
    let data = KeyedArchiveContent.object(
      class: ["_NSPersonNameComponentsData", "NSObject"],
      members: parts.map { ("NS.\($0)", .orNull($1, string)) })
    return .object(
      class: ["NSPersonNameComponents", "NSObject"],
      members: [("NS.nameComponentsPrivate", data)])
  }

  private static func lookupInfo(_ info: UserIdentity.LookupInfo) -> KeyedArchiveContent {
    .object(
      class: ["CKUserIdentityLookupInfo", "NSObject"],
      members: [
        ("EmailAddress", .orNull(info.emailAddress, string)),
        ("PhoneNumber", .orNull(info.phoneNumber, string)),
        ("RecordID", .orNull(info.userRecordName, user)),
      ])
  }
}
