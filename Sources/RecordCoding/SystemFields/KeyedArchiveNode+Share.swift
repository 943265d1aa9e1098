import Foundation
import RecordModel

/// Reading what a `CKShare` has beside the keys of a record.
extension KeyedArchiveNode {
  /// A hundred times what CloudKit allows.
  private static let maximumParticipantCount = 10_000

  /// The special fields of a share; `nil` where the record is none.
  func share() throws -> Share? {
    guard try string(forKey: "RecordType") == Share.recordType else { return nil }
    var share = Share()
    share.publicPermission = Self.permission(try integer(forKey: "PublicPermission"))
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

  private func participant() throws -> ShareParticipant {
    try instance(of: "CKShareParticipant")
    return ShareParticipant(
      participantID: try string(forKey: "ParticipantID"),
      role: Self.role(try integer(forKey: "Type")),
      permission: Self.permission(try integer(forKey: "Permission")),
      acceptanceStatus: Self.acceptanceStatus(try integer(forKey: "AcceptanceStatus")),
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

  // The numbers are those of CloudKit's enumerations of these names.

  private static func permission(_ number: Int64?) -> ShareParticipant.Permission {
    switch number {
    case 1: .none
    case 2: .readOnly
    case 3: .readWrite
    default: .unknown
    }
  }

  private static func role(_ number: Int64?) -> ShareParticipant.Role {
    switch number {
    case 1: .owner
    case 2: .administrator
    case 3: .privateUser
    case 4: .publicUser
    default: .unknown
    }
  }

  private static func acceptanceStatus(_ number: Int64?) -> ShareParticipant.AcceptanceStatus {
    switch number {
    case 1: .pending
    case 2: .accepted
    case 3: .removed
    default: .unknown
    }
  }
}
