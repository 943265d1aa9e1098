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
    share.url = try child("URL")?.url()
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
