import Foundation
import RecordModel

/// Encoding of the properties of a `CKShare` that other records do not have.
extension KeyedArchiveEditor {
  /// Adds a share to an archive that has none.
  mutating func setShare(_ share: Share) {
    let participants = KeyedArchiveContent.mutableArray(
      share.participants.map {
        .participant($0, isCurrentUser: share.isCurrentUser($0))
      })
    set("PublicPermission", to: .integer(share.publicPermission.archivedNumber))
    set("Participants", to: participants)
    set("LastFetchedParticipants", to: participants)
    set("AddedParticipantIDs", to: .mutableSet([]))
    set("RemovedParticipantIDs", to: .mutableSet([]))
    set("URL", to: share.url.map(KeyedArchiveContent.url) ?? .null)
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
      set("URL", to: share.url.map(KeyedArchiveContent.url) ?? .null)
    }
    let nodes = try record.child("Participants")?.elements(
      limit: KeyedArchiveNode.maximumParticipantCount, { $0 })
    var places: [NameKey: Int] = [:]
    for (place, participant) in old.participants.enumerated() {
      if let id = participant.participantID { places[NameKey(id)] = place }
    }
    var contents: [KeyedArchiveContent] = []
    for participant in share.participants {
      let isCurrentUser = share.isCurrentUser(participant)
      if let place = participant.participantID.flatMap({ places[NameKey($0)] }),
        let node = nodes?[place]
      {
        update(node, from: old.participants[place], to: participant)
        if try node.bool(forKey: "IsCurrentUser") ?? false != isCurrentUser {
          set("IsCurrentUser", to: .bool(isCurrentUser), in: node)
        }
        contents.append(.existing(node))
      } else {
        contents.append(.participant(participant, isCurrentUser: isCurrentUser))
      }
    }
    set("Participants", to: .mutableArray(contents))
  }

  private mutating func update(
    _ node: KeyedArchiveNode, from old: ShareParticipant, to new: ShareParticipant
  ) {
    if old.role != new.role { set("Type", to: .integer(new.role.archivedNumber), in: node) }
    if old.permission != new.permission {
      set("Permission", to: .integer(new.permission.archivedNumber), in: node)
    }
    if old.acceptanceStatus != new.acceptanceStatus {
      set("AcceptanceStatus", to: .integer(new.acceptanceStatus.archivedNumber), in: node)
    }
    if old.userIdentity != new.userIdentity {
      set("UserIdentity", to: .userIdentity(new.userIdentity), in: node)
    }
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
  func holds(_ share: Share) throws -> Bool {
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
      members: [
        ("ParticipantID", .string(orNull: participant.participantID)),
        ("Type", .integer(participant.role.archivedNumber)),
        ("Permission", .integer(participant.permission.archivedNumber)),
        ("AcceptanceStatus", .integer(participant.acceptanceStatus.archivedNumber)),
        ("IsCurrentUser", .bool(isCurrentUser)),
        ("UserIdentity", .userIdentity(participant.userIdentity)),
      ])
  }

  /// Returns a `CKUserIdentity`.
  fileprivate static func userIdentity(_ identity: UserIdentity) -> KeyedArchiveContent {
    .object(
      class: ["CKUserIdentity", "NSObject"],
      members: [
        ("UserRecordID", identity.userRecordName.map(KeyedArchiveContent.user) ?? .null),
        ("NameComponents", identity.nameComponents.map(KeyedArchiveContent.names) ?? .null),
        ("LookupInfo", identity.lookupInfo.map(KeyedArchiveContent.lookupInfo) ?? .null),
      ])
  }

  private static func names(_ names: UserIdentity.NameComponents) -> KeyedArchiveContent {
    let parts = KeyedArchiveContent.object(
      class: ["_NSPersonNameComponentsData", "NSObject"],
      members: [
        ("NS.namePrefix", .string(orNull: names.namePrefix)),
        ("NS.givenName", .string(orNull: names.givenName)),
        ("NS.middleName", .string(orNull: names.middleName)),
        ("NS.familyName", .string(orNull: names.familyName)),
        ("NS.nameSuffix", .string(orNull: names.nameSuffix)),
        ("NS.nickname", .string(orNull: names.nickname)),
        ("NS.phoneticRepresentation", .null),
      ])
    return .object(
      class: ["NSPersonNameComponents", "NSObject"],
      members: [("NS.nameComponentsPrivate", parts)])
  }

  private static func lookupInfo(_ info: UserIdentity.LookupInfo) -> KeyedArchiveContent {
    .object(
      class: ["CKUserIdentityLookupInfo", "NSObject"],
      members: [
        ("EmailAddress", .string(orNull: info.emailAddress)),
        ("PhoneNumber", .string(orNull: info.phoneNumber)),
        ("RecordID", info.userRecordName.map(KeyedArchiveContent.user) ?? .null),
      ])
  }
}
