/// The properties of a share that other records do not have (`CKShare`).
///
/// A share is a record of type `cloudkit.share`. These properties are members of the record
/// dictionary, beside `fields`. `RecordCoding` reads them (`ResultRecord.shareInfo`) and writes
/// them (`DraftRecord.shareInfo`).
public struct Share: Sendable, Hashable {
  /// The record type of shares.
  public static let recordType = "cloudkit.share"
  /// The record name of a zone-wide share (`CKRecordNameZoneWideShare`).
  public static let zoneWideRecordName = "cloudkit.zoneshare"
  /// The name of the field for the title (`CKShare.SystemFieldKey.title`).
  public static let titleKey = "cloudkit.title"
  /// The name of the field for the preview image (`CKShare.SystemFieldKey.thumbnailImageData`).
  public static let thumbnailImageDataKey = "cloudkit.thumbnailImageData"
  /// The name of the field for the type of the shared content, a UTI
  /// (`CKShare.SystemFieldKey.shareType`).
  public static let shareTypeKey = "cloudkit.type"

  /// The permission of everyone who has the link.
  public var publicPermission: ShareParticipant.Permission
  /// All participants; the owner comes first.
  public var participants: [ShareParticipant]
  /// The owner, if the server sends it apart from the participants.
  public var owner: ShareParticipant?
  /// The signed-in user as a participant.
  public var currentUserParticipant: ShareParticipant?
  /// The short identifier of the share, which is part of its link.
  @ExactText public var shortGUID: String?
  /// The link to the share.
  @ExactText public var url: String?

  /// Creates the properties of a share.
  public init(
    publicPermission: ShareParticipant.Permission = .none, participants: [ShareParticipant] = [],
    owner: ShareParticipant? = nil, currentUserParticipant: ShareParticipant? = nil,
    shortGUID: String? = nil, url: String? = nil
  ) {
    self.publicPermission = publicPermission
    self.participants = participants
    self.owner = owner
    self.currentUserParticipant = currentUserParticipant
    self.shortGUID = shortGUID
    self.url = url
  }
}

extension ResultRecord {
  /// Whether the record is a share.
  public var isShare: Bool { recordType == Share.recordType }
}

/// A participant of a share (`CKShare.Participant`).
public struct ShareParticipant: Sendable, Hashable {
  /// The role of a participant (`CKShare.ParticipantRole`).
  public enum Role: String, Sendable, Hashable, CaseIterable {
    case unknown = "UNKNOWN"
    case owner = "OWNER"
    case administrator = "ADMINISTRATOR"
    /// Invited by the owner or an administrator.
    case privateUser = "USER"
    /// Joined by the link to the share.
    case publicUser = "PUBLIC_USER"
  }

  /// The permission of a participant (`CKShare.ParticipantPermission`).
  public enum Permission: String, Sendable, Hashable, CaseIterable {
    case unknown = "UNKNOWN"
    case none = "NONE"
    case readOnly = "READ_ONLY"
    case readWrite = "READ_WRITE"
  }

  /// The status of an invitation (`CKShare.ParticipantAcceptanceStatus`).
  public enum AcceptanceStatus: String, Sendable, Hashable, CaseIterable {
    case unknown = "UNKNOWN"
    /// Invited, not yet accepted; also read from `INVITED` in Web Services.
    case pending = "PENDING"
    case accepted = "ACCEPTED"
    case removed = "REMOVED"
    case unsubscribed = "UNSUBSCRIBED"
  }

  /// The identifier of the participant within the share, if the server sends it.
  @ExactText public var participantID: String?
  /// The role of the participant.
  public var role: Role
  /// The permission of the participant.
  public var permission: Permission
  /// The status of the invitation.
  public var acceptanceStatus: AcceptanceStatus
  /// The identity of the participant.
  public var userIdentity: UserIdentity
  /// The JSON members that this model has no property for.
  public var otherMembers: OtherMembers

  /// Creates a participant.
  public init(
    participantID: String? = nil, role: Role = .privateUser, permission: Permission = .readOnly,
    acceptanceStatus: AcceptanceStatus = .pending, userIdentity: UserIdentity,
    otherMembers: OtherMembers = []
  ) {
    self.participantID = participantID
    self.role = role
    self.permission = permission
    self.acceptanceStatus = acceptanceStatus
    self.userIdentity = userIdentity
    self.otherMembers = otherMembers
  }
}

/// The identity of a user, as far as the app may know it (`CKUserIdentity`).
public struct UserIdentity: Sendable, Hashable {
  /// The criteria for finding a user (`CKUserIdentity.LookupInfo`).
  public struct LookupInfo: Sendable, Hashable {
    /// An e-mail address.
    @ExactText public var emailAddress: String?
    /// A telephone number.
    @ExactText public var phoneNumber: String?
    /// The record name of the user.
    @ExactText public var userRecordName: String?
    /// The JSON members that this model has no property for.
    public var otherMembers: OtherMembers

    /// Creates criteria.
    public init(
      emailAddress: String? = nil, phoneNumber: String? = nil, userRecordName: String? = nil,
      otherMembers: OtherMembers = []
    ) {
      self.emailAddress = emailAddress
      self.phoneNumber = phoneNumber
      self.userRecordName = userRecordName
      self.otherMembers = otherMembers
    }
  }

  /// The components of a person's name (`PersonNameComponents`).
  public struct NameComponents: Sendable, Hashable {
    /// The title before the name.
    @ExactText public var namePrefix: String?
    /// The first name.
    @ExactText public var givenName: String?
    /// The middle name.
    @ExactText public var middleName: String?
    /// The last name.
    @ExactText public var familyName: String?
    /// The suffix after the name.
    @ExactText public var nameSuffix: String?
    /// The nickname.
    @ExactText public var nickname: String?
    /// The JSON members that this model has no property for.
    public var otherMembers: OtherMembers

    /// Creates a name.
    public init(
      namePrefix: String? = nil, givenName: String? = nil, middleName: String? = nil,
      familyName: String? = nil, nameSuffix: String? = nil, nickname: String? = nil,
      otherMembers: OtherMembers = []
    ) {
      self.namePrefix = namePrefix
      self.givenName = givenName
      self.middleName = middleName
      self.familyName = familyName
      self.nameSuffix = nameSuffix
      self.nickname = nickname
      self.otherMembers = otherMembers
    }
  }

  /// The record name of the user, the same in all databases of the container.
  @ExactText public var userRecordName: String?
  /// The user's name.
  public var nameComponents: NameComponents?
  /// The criteria by which the user was found.
  public var lookupInfo: LookupInfo?
  /// The JSON members that this model has no property for.
  public var otherMembers: OtherMembers

  /// Creates an identity.
  public init(
    userRecordName: String? = nil, nameComponents: NameComponents? = nil,
    lookupInfo: LookupInfo? = nil, otherMembers: OtherMembers = []
  ) {
    self.userRecordName = userRecordName
    self.nameComponents = nameComponents
    self.lookupInfo = lookupInfo
    self.otherMembers = otherMembers
  }
}
