import RecordModel

extension CKShare.ParticipantRole {
  init(_ role: ShareParticipant.Role) {
    switch role {
    case .unknown: self = .unknown
    case .owner: self = .owner
    case .administrator: self = ._administrator
    case .privateUser: self = .privateUser
    case .publicUser: self = .publicUser
    }
  }
}

extension ShareParticipant.Role {
  init(_ role: CKShare.ParticipantRole) {
    switch role {
    case .unknown: self = .unknown
    case .owner: self = .owner
    case ._administrator: self = .administrator
    case .privateUser: self = .privateUser
    case .publicUser: self = .publicUser
    }
  }
}

extension CKShare.ParticipantPermission {
  init(_ permission: ShareParticipant.Permission) {
    switch permission {
    case .unknown: self = .unknown
    case .none: self = .none
    case .readOnly: self = .readOnly
    case .readWrite: self = .readWrite
    }
  }
}

extension ShareParticipant.Permission {
  init(_ permission: CKShare.ParticipantPermission) {
    switch permission {
    case .unknown: self = .unknown
    case .none: self = .none
    case .readOnly: self = .readOnly
    case .readWrite: self = .readWrite
    }
  }
}

extension CKShare.ParticipantAcceptanceStatus {
  init(_ status: ShareParticipant.AcceptanceStatus) {
    switch status {
    case .unknown: self = .unknown
    case .pending: self = .pending
    case .accepted: self = .accepted
    case .removed, .unsubscribed: self = .removed
    }
  }
}

extension ShareParticipant.AcceptanceStatus {
  init(_ status: CKShare.ParticipantAcceptanceStatus) {
    switch status {
    case .unknown: self = .unknown
    case .pending: self = .pending
    case .accepted: self = .accepted
    case .removed: self = .removed
    }
  }
}
