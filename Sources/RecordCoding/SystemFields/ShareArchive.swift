import Foundation
import RecordModel

/// Decoding of the properties of a `CKShare` that other records do not have.
extension KeyedArchiveNode {
  /// Ten times CloudKit's limit.
  static let maxParticipantCount = 1_000

  /// Returns the special members of a share; nil if the record is not a share.
  func share() throws -> Share? {
    guard try child("RecordType")?.string() == Share.recordType else { return nil }
    var share = Share()
    share.publicPermission = .init(archived: try child("PublicPermission")?.integer())
    share.link = try child("URL")?.url()
    let participants = try child("Participants")?.elements(limit: Self.maxParticipantCount) {
      (try $0.participant(), try $0.child("IsCurrentUser")?.bool() ?? false)
    }
    for (participant, isCurrentUser) in participants ?? [] {
      share.participants.append(participant)
      if isCurrentUser { share.currentUserParticipant = participant }
      if participant.role == .owner { share.owner = participant }
    }
    return share
  }

  func participant() throws -> ShareParticipant {
    try instance(of: "CKShareParticipant")
    return ShareParticipant(
      participantID: try child("ParticipantID")?.string(),
      role: .init(archived: try child("Type")?.integer()),
      permission: .init(archived: try child("Permission")?.integer()),
      acceptanceStatus: .init(archived: try child("AcceptanceStatus")?.integer()),
      userIdentity: try child("UserIdentity")?.userIdentity() ?? UserIdentity())
  }

  private func userIdentity() throws -> UserIdentity {
    try instance(of: "CKUserIdentity")
    return UserIdentity(
      userRecordName: try child("UserRecordID")?.recordID().recordName,
      nameComponents: try child("NameComponents")?.nameComponents(),
      lookupInfo: try child("LookupInfo")?.lookupInfo())
  }

  private func nameComponents() throws -> UserIdentity.NameComponents {
    try instance(of: "NSPersonNameComponents")
    let names = try child("NS.nameComponentsPrivate") ?? self
    return UserIdentity.NameComponents(
      namePrefix: try names.child("NS.namePrefix")?.string(),
      givenName: try names.child("NS.givenName")?.string(),
      middleName: try names.child("NS.middleName")?.string(),
      familyName: try names.child("NS.familyName")?.string(),
      nameSuffix: try names.child("NS.nameSuffix")?.string(),
      nickname: try names.child("NS.nickname")?.string())
  }

  private func lookupInfo() throws -> UserIdentity.LookupInfo {
    try instance(of: "CKUserIdentityLookupInfo")
    return UserIdentity.LookupInfo(
      emailAddress: try child("EmailAddress")?.string(),
      phoneNumber: try child("PhoneNumber")?.string(),
      userRecordName: try child("RecordID")?.recordID().recordName)
  }
}

/// Encoding of the properties of a `CKShare` that other records do not have.
extension KeyedArchiveWriter {
  /// Adds the special members of a share.
  mutating func add(_ share: Share) {
    let participants = KeyedArchiveContent.mutableArray(
      share.participants.map { .participant($0, isCurrentUser: share.isCurrentUser($0)) })
    add("PublicPermission", .integer(share.publicPermission.archivedNumber))
    add("Participants", participants)
    add("LastFetchedParticipants", participants)
    add("AddedParticipantIDs", .mutableSet([]))
    add("RemovedParticipantIDs", .mutableSet([]))
    add("URL", .orNull(share.link, KeyedArchiveContent.url))
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
    return own.publicPermission == share.publicPermission && own.link == share.link
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
        ("ParticipantID", .orNull(participant.participantID, KeyedArchiveContent.string)),
        ("Type", .integer(participant.role.archivedNumber)),
        ("Permission", .integer(participant.permission.archivedNumber)),
        ("AcceptanceStatus", .integer(participant.acceptanceStatus.archivedNumber)),
        ("IsCurrentUser", .bool(isCurrentUser)),
        ("UserIdentity", .userIdentity(participant.userIdentity)),
      ])
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

/// An enumeration of CloudKit that is archived as a number.
protocol ArchivedAsNumber: Equatable {
  /// The cases in the order of CloudKit's numbers, starting at 0 (unknown).
  static var archived: [Self] { get }
}

extension ArchivedAsNumber {
  /// Creates the case for a number; unknown for nil and numbers without a case.
  init(archived number: Int64?) {
    let index = number.flatMap(Int.init(exactly:)) ?? 0
    self = Self.archived[Self.archived.indices.contains(index) ? index : 0]
  }

  /// The number of the case in archives.
  var archivedNumber: Int64 { Int64(Self.archived.firstIndex(of: self) ?? 0) }
}

extension ShareParticipant.Role: ArchivedAsNumber {
  static var archived: [Self] { [.unknown, .owner, .administrator, .privateUser, .publicUser] }
}

extension ShareParticipant.Permission: ArchivedAsNumber {
  static var archived: [Self] { [.unknown, .none, .readOnly, .readWrite] }
}

extension ShareParticipant.AcceptanceStatus: ArchivedAsNumber {
  // Only Web Services have `unsubscribed`; archives contain `removed`, which has the same number.
  static var archived: [Self] { [.unknown, .pending, .accepted, .removed] }

  var archivedNumber: Int64 {
    Int64(Self.archived.firstIndex(of: self == .unsubscribed ? .removed : self) ?? 0)
  }
}
