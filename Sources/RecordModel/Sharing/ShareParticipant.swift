/// Someone who takes part in a share (`CKShare.Participant`).
public struct ShareParticipant: Sendable, Hashable {
  /// A participant's standing (`CKShare.ParticipantRole`).
  public enum Role: String, Sendable, Hashable, CaseIterable {
    case unknown = "UNKNOWN"
    case owner = "OWNER"
    case administrator = "ADMINISTRATOR"
    /// Invited by the owner or an administrator.
    case privateUser = "USER"
    /// Came by the share's link.
    case publicUser = "PUBLIC_USER"
  }

  /// What a participant may do (`CKShare.ParticipantPermission`).
  public enum Permission: String, Sendable, Hashable, CaseIterable {
    case unknown = "UNKNOWN"
    case none = "NONE"
    case readOnly = "READ_ONLY"
    case readWrite = "READ_WRITE"
  }

  /// Whether an invitation was taken (`CKShare.ParticipantAcceptanceStatus`).
  public enum AcceptanceStatus: String, Sendable, Hashable, CaseIterable {
    case unknown = "UNKNOWN"
    /// Invited, and not yet accepted; Web Services' `INVITED` is read as this too.
    case pending = "PENDING"
    case accepted = "ACCEPTED"
    case removed = "REMOVED"
    case unsubscribed = "UNSUBSCRIBED"
  }

  /// The participant's identity within the share, where the server names it.
  @ExactText public var participantID: String?
  /// The participant's standing.
  public var role: Role
  /// What the participant may do.
  public var permission: Permission
  /// Whether the invitation was taken.
  public var acceptanceStatus: AcceptanceStatus
  /// Who the participant is.
  public var userIdentity: UserIdentity
  /// What a server sent that this model does not know.
  public var otherMembers: OtherMembers

  /// Makes a participant.
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
