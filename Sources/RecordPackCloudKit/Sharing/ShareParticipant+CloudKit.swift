#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension ShareParticipant {
    /// Creates a participant from one of CloudKit.
    public init(_ participant: CKShare.Participant) {
      self.init(
        participantID: participant.participantID, role: Role(participant.role),
        permission: Permission(participant.permission),
        acceptanceStatus: AcceptanceStatus(participant.acceptanceStatus),
        userIdentity: UserIdentity(participant.userIdentity))
    }
  }

  extension ShareParticipant.Role {
    /// Creates a role from one of CloudKit; unknown for one that this version does not know.
    public init(_ role: CKShare.ParticipantRole) {
      switch role {
      case .owner: self = .owner
      case .privateUser: self = .privateUser
      case .publicUser: self = .publicUser
      case _ where role.rawValue == CKShare.ParticipantRole.administratorNumber:
        self = .administrator
      default: self = .unknown
      }
    }
  }

  extension CKShare.ParticipantRole {
    /// The number of `administrator`, which the SDKs before that of iOS 26 do not declare.
    fileprivate static let administratorNumber = 2

    /// Creates a role from one of RecordPack; nil for one that the framework does not have.
    init?(_ role: ShareParticipant.Role) {
      switch role {
      case .owner: self = .owner
      case .privateUser: self = .privateUser
      case .publicUser: self = .publicUser
      case .administrator:
        // Older systems have participants with this role as `privateUser`.
        guard #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return nil }
        self.init(rawValue: Self.administratorNumber)
      case .unknown: return nil
      }
    }
  }

  extension ShareParticipant.Permission {
    /// Creates a permission from one of CloudKit; unknown for one that this version does not know.
    public init(_ permission: CKShare.ParticipantPermission) {
      switch permission {
      case .none: self = .none
      case .readOnly: self = .readOnly
      case .readWrite: self = .readWrite
      default: self = .unknown
      }
    }
  }

  extension CKShare.ParticipantPermission {
    /// Creates a permission from one of RecordPack.
    public init(_ permission: ShareParticipant.Permission) {
      switch permission {
      case .none: self = .none
      case .readOnly: self = .readOnly
      case .readWrite: self = .readWrite
      case .unknown: self = .unknown
      }
    }
  }

  extension ShareParticipant.AcceptanceStatus {
    /// Creates a status from one of CloudKit; unknown for one that this version does not know.
    public init(_ status: CKShare.ParticipantAcceptanceStatus) {
      switch status {
      case .pending: self = .pending
      case .accepted: self = .accepted
      case .removed: self = .removed
      default: self = .unknown
      }
    }
  }
#endif
