import struct Foundation.Date
import struct Foundation.URL
import struct Foundation.UUID

/// The properties of a share that other records do not have (`CKShare`).
///
/// ```swift
/// var chat = DraftRecord(recordType: "Chat", zoneID: chats)
/// let draft = DraftRecord(sharing: &chat, participants: [kenji], title: "Hiking club")
/// try await database.modifyRecords(saving: [chat, draft], deleting: [])
///
/// let share = try await database.record(for: draft.recordID).shareInfo
/// print(share?.participants.count ?? 0, share?.url?.absoluteString ?? "")
/// ```
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
  /// Whether users who know the link may ask for access. If not, they do not learn whether the share
  /// exists. Since the SDKs of 2025.
  public var allowsAccessRequests = false
  /// The users who have asked for access and wait. The owner and administrators get them.
  ///
  /// To approve a user, add a participant whom `shareParticipant(for…:)` finds by the user's
  /// `lookupInfo`, and save the share.
  public package(set) var requesters: [UserIdentity] = []
  /// The users who cannot ask for access again. The owner and administrators get them.
  public package(set) var blockedIdentities: [UserIdentity] = []
  /// The text of the link to the share.
  @ExactText package var link: String?

  /// Creates the properties of a share.
  public init(
    publicPermission: ShareParticipant.Permission = .none, participants: [ShareParticipant] = [],
    owner: ShareParticipant? = nil, currentUserParticipant: ShareParticipant? = nil,
    shortGUID: String? = nil, url: URL? = nil
  ) {
    self.init(
      publicPermission: publicPermission, participants: participants, owner: owner,
      currentUserParticipant: currentUserParticipant, shortGUID: shortGUID,
      link: url?.absoluteString)
  }

  /// Creates the properties of a share with the text of its link.
  package init(
    publicPermission: ShareParticipant.Permission = .none, participants: [ShareParticipant] = [],
    owner: ShareParticipant? = nil, currentUserParticipant: ShareParticipant? = nil,
    shortGUID: String? = nil, link: String?
  ) {
    self.publicPermission = publicPermission
    self.participants = participants
    self.owner = owner
    self.currentUserParticipant = currentUserParticipant
    self.shortGUID = shortGUID
    self.link = link
  }

  /// The link to the share, which the server makes of ``shortGUID`` when the share is first saved.
  ///
  /// Responses of Web Services have the identifier only.
  public var url: URL? {
    get { (link ?? shortGUID.map(Self.link(ofShortGUID:))).flatMap { URL(string: $0) } }
    set { link = newValue?.absoluteString }
  }

  /// Returns the text of the link to the share with a short identifier.
  package static func link(ofShortGUID shortGUID: String) -> String {
    let bytes = shortGUID.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain =
        byte < 0x80 && (character.isLetter || character.isNumber || "-_".contains(character))
      guard !isPlain else { return String(character) }
      return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }
    return "https://www.icloud.com/share/" + bytes.joined()
  }

  // MARK: Participants

  /// Adds a participant. One with the same identity is changed instead (`CKShare.addParticipant`).
  ///
  /// The list of participants can only change while ``publicPermission`` is `none`.
  public mutating func addParticipant(_ participant: ShareParticipant) {
    if let index = index(of: participant) {
      participants[index].role = participant.role
      participants[index].permission = participant.permission
    } else {
      participants.append(participant)
    }
  }

  /// Removes the participant with an identity, if there is one (`CKShare.removeParticipant`). The
  /// server keeps the owner.
  public mutating func removeParticipant(_ participant: ShareParticipant) {
    if let index = index(of: participant) { participants.remove(at: index) }
  }

  /// Returns the link that lets the first user who opens it accept the share as a participant of
  /// ``ShareParticipant/oneTimeURLParticipant()``; nil before the share is saved.
  ///
  /// Afterwards it works as ``url``. It does not change while the participant is in the share.
  public func oneTimeURL(for participantID: String) -> URL? {
    let participant = participants.first { $0.participantID.sameScalars(as: participantID) }
    return participant?.oneTimeLink.flatMap { URL(string: $0) }
  }

  // MARK: Access requests

  /// Denies requests for access. The users may ask again.
  ///
  /// This and the other changes of requests take effect when the share is saved, by the owner or an
  /// administrator.
  public mutating func denyRequesters(_ identities: [UserIdentity]) {
    requesters.removeAll { requester in identities.contains { $0.isSame(as: requester) } }
  }

  /// Denies requests for access. The users cannot ask again, and are removed if they take part.
  public mutating func blockRequesters(_ identities: [UserIdentity]) {
    denyRequesters(identities)
    participants.removeAll { participant in
      identities.contains { $0.isSame(as: participant.userIdentity) }
    }
    blockedIdentities += identities.filter { identity in
      !blockedIdentities.contains { $0.isSame(as: identity) }
    }
  }

  /// Lets blocked users ask for access again.
  public mutating func unblockIdentities(_ identities: [UserIdentity]) {
    blockedIdentities.removeAll { blocked in identities.contains { $0.isSame(as: blocked) } }
  }

  private func index(of participant: ShareParticipant) -> Int? {
    participants.firstIndex { $0.isSame(as: participant) }
  }
}

extension ShareParticipant {
  /// Whether both are the same person: by the user, the address or number that found the user, or
  /// the identifier in the share.
  fileprivate func isSame(as other: ShareParticipant) -> Bool {
    participantID != nil && participantID.sameScalars(as: other.participantID)
      || userIdentity.isSame(as: other.userIdentity)
  }
}

extension UserIdentity {
  /// Whether both are the same person: by the record name, or what the user was found by.
  package func isSame(as other: UserIdentity) -> Bool {
    func isEqual(_ property: (UserIdentity) -> String?) -> Bool {
      guard let a = property(self), let b = property(other) else { return false }
      return a.sameScalars(as: b)
    }
    return isEqual { $0.userRecordName ?? $0.lookupInfo?.userRecordName }
      || isEqual { $0.lookupInfo?.emailAddress?.lowercased() }
      || isEqual { $0.lookupInfo?.phoneNumber }
  }
}

extension Share {
  /// Whether a zone can have shares. Source: Apple's documentation of `CKShare`.
  package static func canBe(in zoneID: ZoneID, of database: DatabaseScope) -> Bool {
    !zoneID.isDefault && database != .public
  }
}

extension ResultRecord {
  /// Whether the record is a share.
  public var isShare: Bool { recordType == Share.recordType }
}

/// A participant of a share (`CKShare.Participant`).
///
/// ```swift
/// let kenji = ShareParticipant(
///   permission: .readWrite,
///   userIdentity: UserIdentity(lookupInfo: .init(emailAddress: "kenji@example.com")))
/// try share.addParticipant(kenji)
/// try await database.save(share)
/// ```
public struct ShareParticipant: Sendable, Hashable {
  /// The role of a participant (`CKShare.ParticipantRole`).
  public enum Role: String, Sendable, Hashable, CaseIterable {
    /// The server sent no role.
    case unknown = "UNKNOWN"
    /// The user whose database has the records.
    case owner = "OWNER"
    /// A participant who may add and remove other participants.
    case administrator = "ADMINISTRATOR"
    /// Invited by the owner or an administrator.
    case privateUser = "USER"
    /// Joined by the link to the share.
    case publicUser = "PUBLIC_USER"
  }

  /// The permission of a participant (`CKShare.ParticipantPermission`).
  public enum Permission: String, Sendable, Hashable, CaseIterable {
    /// The server sent no permission.
    case unknown = "UNKNOWN"
    /// Neither reading nor changing.
    case none = "NONE"
    /// Reading.
    case readOnly = "READ_ONLY"
    /// Reading and changing.
    case readWrite = "READ_WRITE"
  }

  /// The status of an invitation (`CKShare.ParticipantAcceptanceStatus`).
  public enum AcceptanceStatus: String, Sendable, Hashable, CaseIterable {
    /// The server sent no status.
    case unknown = "UNKNOWN"
    /// Invited, not yet accepted; also read from `INVITED` in Web Services.
    case pending = "PENDING"
    /// Accepted.
    case accepted = "ACCEPTED"
    /// Removed from the share.
    case removed = "REMOVED"
    /// Left by the participant. Only Web Services have this status.
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
  /// Whether the participant has asked for access, and was approved.
  public package(set) var isApprovedRequester = false
  /// The time at which the participant was added to the share, if the server sends it. The mock
  /// does not.
  public package(set) var dateAddedToShare: Date?
  /// Whether the participant is whoever first opens a link.
  package var isOneTime = false
  /// The text of the link of the participant.
  @ExactText package var oneTimeLink: String?
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

extension ShareParticipant {
  /// Creates a participant for whoever first opens a link, and may read
  /// (`CKShare.Participant.oneTimeURLParticipant()`).
  ///
  /// ```swift
  /// let guest = ShareParticipant.oneTimeURLParticipant()
  /// try share.addParticipant(guest)
  /// let saved = try await database.save(share)
  /// let link = saved.shareInfo?.oneTimeURL(for: guest.participantID ?? "")
  /// ```
  public static func oneTimeURLParticipant() -> ShareParticipant {
    var participant = ShareParticipant(
      participantID: UUID().uuidString, userIdentity: UserIdentity())
    participant.isOneTime = true
    return participant
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
