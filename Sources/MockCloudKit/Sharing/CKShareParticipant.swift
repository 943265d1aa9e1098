import Foundation

extension CKShare {
  public enum ParticipantAcceptanceStatus: Int, Sendable {
    /// The status is not known.
    case unknown = 0
    /// The participant has not accepted the share.
    case pending = 1
    /// The participant has accepted the share.
    case accepted = 2
    /// The participant was removed from the share.
    case removed = 3
  }

  public enum ParticipantPermission: Int, Sendable {
    /// The permission is not known.
    case unknown = 0
    /// The participant may neither read nor write.
    case none = 1
    /// The participant may read.
    case readOnly = 2
    /// The participant may read and write.
    case readWrite = 3
  }

  public enum ParticipantRole: Int, Sendable {
    /// The role is not known.
    case unknown = 0
    /// The owner of the share.
    case owner = 1
    /// `administrator` of the 26 releases. Not under this name: code that uses it does not build for
    /// older systems without a check.
    case _administrator = 2
    /// A user whom the owner or an administrator has invited.
    case privateUser = 3
    /// A user who joined by the link of a public share.
    case publicUser = 4
  }

  public typealias Participant = CKShareParticipant
}

// swift-corelibs-foundation cannot archive a class within another.
public final class CKShareParticipant: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  public typealias ID = String
  public typealias AcceptanceStatus = CKShare.ParticipantAcceptanceStatus
  public typealias Permission = CKShare.ParticipantPermission
  public typealias Role = CKShare.ParticipantRole

  public let userIdentity: CKUserIdentity
  public let acceptanceStatus: CKShare.ParticipantAcceptanceStatus
  public let participantID: CKShare.Participant.ID
  /// Whether the server gave the identifier.
  let hasServerID: Bool
  /// Whether this is the signed-in user.
  let isCurrentUser: Bool
  /// Whether the participant is whoever first opens a link.
  private(set) var isOneTime = false
  public internal(set) var isApprovedRequester = false
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

  public static func oneTimeURLParticipant() -> CKShare.Participant {
    let participant = CKShare.Participant(
      CKUserIdentity(nil, nil, nil), .privateUser, .readOnly, .pending, id: UUID().uuidString)
    participant.isOneTime = true
    return participant
  }

  func setOneTime() { isOneTime = true }

  public var role: CKShare.ParticipantRole {
    get { editable.with { $0.role } }
    set { editable.with { $0.role = newValue } }
  }

  public var permission: CKShare.ParticipantPermission {
    get { editable.with { $0.permission } }
    set { editable.with { $0.permission = newValue } }
  }

  // CloudKit compares participants by value: a copy, or one read from an archive, is equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKShare.Participant else { return false }
    if other === self { return true }
    let sameUser = userIdentity.isSameUser(as: other.userIdentity)
    let hasIdentity = userIdentity.userRecordID != nil || userIdentity.lookupInfo != nil
    return (hasIdentity ? sameUser : participantID == other.participantID)
      && role == other.role && permission == other.permission
      && acceptanceStatus == other.acceptanceStatus
  }

  public override var hash: Int { acceptanceStatus.hashValue }

  public override var description: String {
    described([
      "participantID": participantID, "userIdentity": userIdentity, "permission": permission,
      "role": role, "acceptanceStatus": acceptanceStatus,
    ])
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = CKShare.Participant(
      userIdentity, role, permission, acceptanceStatus, id: hasServerID ? participantID : nil,
      isCurrentUser: isCurrentUser)
    copy.isOneTime = isOneTime
    copy.isApprovedRequester = isApprovedRequester
    copy.dateAddedToShare = dateAddedToShare
    return copy
  }

  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKShareParticipant")
  }

  public func encode(with coder: NSCoder) {
    coder.encode(hasServerID ? participantID as NSString : nil, forKey: "ParticipantID")
    coder.encode(Int64(role.rawValue), forKey: "Type")
    coder.encode(Int64(permission.rawValue), forKey: "Permission")
    coder.encode(Int64(acceptanceStatus.rawValue), forKey: "AcceptanceStatus")
    coder.encode(isCurrentUser, forKey: "IsCurrentUser")
    coder.encode(userIdentity, forKey: "UserIdentity")
    coder.encode(isOneTime, forKey: "IsOneTime")
  }

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
