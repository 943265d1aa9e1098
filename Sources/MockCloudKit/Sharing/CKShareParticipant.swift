import Foundation

extension CKShare {
  /// https://developer.apple.com/documentation/cloudkit/ckshare/participantacceptancestatus
  public enum ParticipantAcceptanceStatus: Int, Sendable {
    /// The status is not known.
    /// https://developer.apple.com/documentation/cloudkit/ckshare/participantacceptancestatus/unknown
    case unknown = 0
    /// The participant has not accepted the share.
    /// https://developer.apple.com/documentation/cloudkit/ckshare/participantacceptancestatus/pending
    case pending = 1
    /// The participant has accepted the share.
    /// https://developer.apple.com/documentation/cloudkit/ckshare/participantacceptancestatus/accepted
    case accepted = 2
    /// The participant was removed from the share.
    /// https://developer.apple.com/documentation/cloudkit/ckshare/participantacceptancestatus/removed
    case removed = 3
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/participantpermission
  public enum ParticipantPermission: Int, Sendable {
    /// The permission is not known.
    /// https://developer.apple.com/documentation/cloudkit/ckshare/participantpermission/unknown
    case unknown = 0
    /// The participant may neither read nor write.
    /// https://developer.apple.com/documentation/cloudkit/ckshare/participantpermission/none
    case none = 1
    /// The participant may read.
    /// https://developer.apple.com/documentation/cloudkit/ckshare/participantpermission/readonly
    case readOnly = 2
    /// The participant may read and write.
    /// https://developer.apple.com/documentation/cloudkit/ckshare/participantpermission/readwrite
    case readWrite = 3
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/participantrole
  public enum ParticipantRole: Int, Sendable {
    /// The role is not known.
    /// https://developer.apple.com/documentation/cloudkit/ckshare/participantrole/unknown
    case unknown = 0
    /// The owner of the share.
    /// https://developer.apple.com/documentation/cloudkit/ckshare/participantrole/owner
    case owner = 1
    /// `administrator` of the 26 releases. Not under this name: code that uses it does not build for
    /// older systems without a check.
    /// https://developer.apple.com/documentation/cloudkit/ckshare/participantrole/administrator
    case _administrator = 2
    /// A user whom the owner or an administrator has invited.
    /// https://developer.apple.com/documentation/cloudkit/ckshare/participantrole/privateuser
    case privateUser = 3
    /// A user who joined by the link of a public share.
    /// https://developer.apple.com/documentation/cloudkit/ckshare/participantrole/publicuser
    case publicUser = 4
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/participant
  public typealias Participant = CKShareParticipant
}

// swift-corelibs-foundation cannot archive a class within another.
/// https://developer.apple.com/documentation/cloudkit/ckshare/participant
public final class CKShareParticipant: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckshare/participant/id
  public typealias ID = String
  /// https://developer.apple.com/documentation/cloudkit/ckshare/participant/acceptancestatus-swift.typealias
  public typealias AcceptanceStatus = CKShare.ParticipantAcceptanceStatus
  /// https://developer.apple.com/documentation/cloudkit/ckshare/participant/permission-swift.typealias
  public typealias Permission = CKShare.ParticipantPermission
  /// https://developer.apple.com/documentation/cloudkit/ckshare/participant/role-swift.typealias
  public typealias Role = CKShare.ParticipantRole

  /// https://developer.apple.com/documentation/cloudkit/ckshare/participant/useridentity
  public let userIdentity: CKUserIdentity
  /// https://developer.apple.com/documentation/cloudkit/ckshare/participant/acceptancestatus-swift.property
  public let acceptanceStatus: CKShare.ParticipantAcceptanceStatus
  /// https://developer.apple.com/documentation/cloudkit/ckshare/participant/participantid
  public let participantID: CKShare.Participant.ID
  /// Whether the server gave the identifier.
  let hasServerID: Bool
  /// Whether this is the signed-in user.
  let isCurrentUser: Bool
  /// Whether the participant is whoever first opens a link.
  private(set) var isOneTime = false
  /// https://developer.apple.com/documentation/cloudkit/ckshare/participant/isapprovedrequester
  public internal(set) var isApprovedRequester = false
  /// https://developer.apple.com/documentation/cloudkit/ckshare/participant/dateaddedtoshare
  public internal(set) var dateAddedToShare: Date?
  /// The share that the participant was added to.
  let share = Locked<ObjectIdentifier?>(nil)
  private let editable:
    Locked<(role: CKShare.ParticipantRole, permission: CKShare.ParticipantPermission)>

  init(
    _ userIdentity: CKUserIdentity, _ role: CKShare.ParticipantRole,
    _ permission: CKShare.ParticipantPermission,
    _ status: CKShare.ParticipantAcceptanceStatus, id: String?, isCurrentUser: Bool = false
  ) {
    ArchiveNames.register()
    self.userIdentity = userIdentity
    acceptanceStatus = status
    participantID = id ?? UUID().uuidString
    hasServerID = id != nil
    self.isCurrentUser = isCurrentUser
    editable = Locked((role, permission))
    super.init()
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/participant/onetimeurlparticipant()
  public static func oneTimeURLParticipant() -> CKShare.Participant {
    let participant = CKShare.Participant(
      CKUserIdentity(nil, nil, nil), .privateUser, .readOnly, .pending, id: UUID().uuidString)
    participant.isOneTime = true
    return participant
  }

  func setOneTime() { isOneTime = true }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/participant/role-swift.property
  public var role: CKShare.ParticipantRole {
    get { editable.with { $0.role } }
    set { editable.with { $0.role = newValue } }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/participant/permission-swift.property
  public var permission: CKShare.ParticipantPermission {
    get { editable.with { $0.permission } }
    set { editable.with { $0.permission = newValue } }
  }

  // CloudKit compares participants by value: a copy, or one read from an archive, is equal.
  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/isequal(_:)
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKShare.Participant else { return false }
    if other === self { return true }
    let sameUser = userIdentity.isSameUser(as: other.userIdentity)
    let hasIdentity = userIdentity.userRecordID != nil || userIdentity.lookupInfo != nil
    return (hasIdentity ? sameUser : participantID == other.participantID)
      && role == other.role && permission == other.permission
      && acceptanceStatus == other.acceptanceStatus
  }

  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/hash
  public override var hash: Int { acceptanceStatus.hashValue }

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = CKShare.Participant(
      userIdentity, role, permission, acceptanceStatus, id: hasServerID ? participantID : nil,
      isCurrentUser: isCurrentUser)
    copy.isOneTime = isOneTime
    copy.isApprovedRequester = isApprovedRequester
    copy.dateAddedToShare = dateAddedToShare
    return copy
  }

  /// https://developer.apple.com/documentation/foundation/nssecurecoding/supportssecurecoding
  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  /// https://developer.apple.com/documentation/objectivec/nsobject/classforkeyedarchiver
  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKShareParticipant")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) {
    coder.encode(hasServerID ? participantID as NSString : nil, forKey: "ParticipantID")
    coder.encode(Int64(role.rawValue), forKey: "Type")
    coder.encode(Int64(permission.rawValue), forKey: "Permission")
    coder.encode(Int64(acceptanceStatus.rawValue), forKey: "AcceptanceStatus")
    coder.encode(isCurrentUser, forKey: "IsCurrentUser")
    coder.encode(userIdentity, forKey: "UserIdentity")
    coder.encode(isOneTime, forKey: "IsOneTime")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
  public init?(coder: NSCoder) {
    func number(_ key: String) -> Int { Int(coder.decodeInt64(forKey: key)) }
    let identity = coder.optionalObject(of: CKUserIdentity.self, forKey: "UserIdentity")
    let id = coder.optionalObject(of: NSString.self, forKey: "ParticipantID")
    userIdentity = identity ?? CKUserIdentity(nil, nil, nil)
    acceptanceStatus = .init(rawValue: number("AcceptanceStatus")) ?? .unknown
    participantID = id.map { String($0) } ?? UUID().uuidString
    hasServerID = id != nil
    isCurrentUser = coder.decodeBool(forKey: "IsCurrentUser")
    isOneTime = coder.decodeBool(forKey: "IsOneTime")
    editable = Locked(
      (
        .init(rawValue: number("Type")) ?? .unknown,
        .init(rawValue: number("Permission")) ?? .unknown
      ))
    super.init()
  }
}
