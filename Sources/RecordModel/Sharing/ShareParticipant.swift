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
