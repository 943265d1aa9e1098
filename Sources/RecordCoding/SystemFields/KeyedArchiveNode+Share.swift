import Foundation
import RecordModel

/// Decoding of the properties of a `CKShare` that other records do not have.
extension KeyedArchiveNode {
  /// Ten times CloudKit's limit.
  static let maximumParticipantCount = 1_000

  /// Returns the special members of a share; nil if the record is not a share.
  func share() throws -> Share? {
    guard try string(forKey: "RecordType") == Share.recordType else { return nil }
    var share = Share()
    share.publicPermission = .init(archived: try integer(forKey: "PublicPermission"))
    share.url = try child("URL")?.url()
    let participants = try child("Participants")?.elements(limit: Self.maximumParticipantCount) {
      (try $0.participant(), try $0.bool(forKey: "IsCurrentUser") ?? false)
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
      participantID: try string(forKey: "ParticipantID"),
      role: .init(archived: try integer(forKey: "Type")),
      permission: .init(archived: try integer(forKey: "Permission")),
      acceptanceStatus: .init(archived: try integer(forKey: "AcceptanceStatus")),
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
      namePrefix: try names.string(forKey: "NS.namePrefix"),
      givenName: try names.string(forKey: "NS.givenName"),
      middleName: try names.string(forKey: "NS.middleName"),
      familyName: try names.string(forKey: "NS.familyName"),
      nameSuffix: try names.string(forKey: "NS.nameSuffix"),
      nickname: try names.string(forKey: "NS.nickname"))
  }

  private func lookupInfo() throws -> UserIdentity.LookupInfo {
    try instance(of: "CKUserIdentityLookupInfo")
    return UserIdentity.LookupInfo(
      emailAddress: try string(forKey: "EmailAddress"),
      phoneNumber: try string(forKey: "PhoneNumber"),
      userRecordName: try child("RecordID")?.recordID().recordName)
  }
}
