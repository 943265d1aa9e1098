import RecordPack

/// The people of the story. All are invented.
struct Person {
  /// How the server names the user: an underscore and 32 hexadecimal digits.
  var recordName: String
  var givenName: String
  var familyName: String
  var emailAddress: String
  var deviceID: String

  static let mira = Person(
    recordName: "_6d697261000000000000000000000001", givenName: "Mira", familyName: "Solvang",
    emailAddress: "mira@example.com", deviceID: "MIRAS-PHONE")
  static let kenji = Person(
    recordName: "_6b656e6a690000000000000000000002", givenName: "Kenji", familyName: "Abara",
    emailAddress: "kenji@example.com", deviceID: "KENJIS-TABLET")
  static let ines = Person(
    recordName: "_696e6573000000000000000000000003", givenName: "Inês", familyName: "Solvang",
    emailAddress: "ines@example.com", deviceID: "INES-LAPTOP")

  static let everyone = [mira, kenji, ines]

  /// The user's record, which every user has one of, in the public database.
  func userRecord() -> DraftRecord {
    var draft = DraftRecord(
      recordType: UserRecord.recordType, recordID: UserRecord.recordID(named: recordName))
    draft["displayName"] = givenName
    return draft
  }

  func participant(
    _ role: ShareParticipant.Role, _ permission: ShareParticipant.Permission,
    _ status: ShareParticipant.AcceptanceStatus
  ) -> ShareParticipant {
    ShareParticipant(
      participantID: "participant-\(recordName.suffix(4))", role: role, permission: permission,
      acceptanceStatus: status,
      userIdentity: UserIdentity(
        userRecordName: recordName,
        nameComponents: UserIdentity.NameComponents(givenName: givenName, familyName: familyName),
        lookupInfo: UserIdentity.LookupInfo(emailAddress: emailAddress)))
  }
}
