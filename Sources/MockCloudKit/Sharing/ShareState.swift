import Foundation

/// The state that a `CKShare` has beyond other records.
struct ShareState {
  private(set) var publicPermission: CKShare.ParticipantPermission
  private(set) var participants: [CKShare.Participant]
  let owner: CKShare.Participant
  private(set) var url: URL?
  private(set) var shortGUID: String?
  var allowsAccessRequests = false
  private(set) var requesters: [CKShare.AccessRequester] = []
  private(set) var blockedIdentities: [CKShare.BlockedIdentity] = []
  /// The one-time links, by participant.
  var links: [String: URL] = [:]

  /// A share that was never saved, of the current user.
  init() {
    let identity = CKUserIdentity(CKRecord.ID(recordName: CKCurrentUserDefaultName), nil, nil)
    let owner = CKShare.Participant(
      identity, .owner, .readWrite, .accepted, id: nil, isCurrentUser: true)
    self.init(.none, [owner], owner: owner)
  }

  init(
    _ publicPermission: CKShare.ParticipantPermission, _ participants: [CKShare.Participant],
    owner: CKShare.Participant, url: URL? = nil, shortGUID: String? = nil
  ) {
    self.publicPermission = publicPermission
    self.participants = participants
    self.owner = owner
    self.url = url
    self.shortGUID = shortGUID
  }

  var currentUserParticipant: CKShare.Participant? { participants.first(where: \.isCurrentUser) }

  /// Source: Apple's documentation of `publicPermission`.
  mutating func setPublicPermission(_ permission: CKShare.ParticipantPermission) {
    guard permission != publicPermission else { return }
    publicPermission = permission
    participants.removeAll { participant in
      guard participant.role != .owner else { return false }
      return permission == .none || participant.acceptanceStatus == .pending
    }
  }

  mutating func add(_ participant: CKShare.Participant) {
    if let index = index(of: participant) {
      participants[index] = participant
    } else {
      participants.append(participant)
    }
  }

  /// - Returns: False if the share has no such participant.
  mutating func remove(_ participant: CKShare.Participant) -> Bool {
    guard let index = index(of: participant) else { return false }
    participants.remove(at: index)
    return true
  }

  private func index(of participant: CKShare.Participant) -> Int? {
    participants.firstIndex {
      $0.participantID == participant.participantID
        || $0.userIdentity.isSameUser(as: participant.userIdentity)
    }
  }

  /// Takes over what the server says of a share that was saved. Changes since then stay.
  mutating func confirm(_ sent: SentShare, as server: ShareState) {
    var merged = server
    if publicPermission != sent.state.publicPermission {
      merged.publicPermission = publicPermission
    }
    if allowsAccessRequests != sent.state.allowsAccessRequests {
      merged.allowsAccessRequests = allowsAccessRequests
    }
    if !requesters.elementsEqual(sent.state.requesters, by: ===) {
      merged.requesters = requesters
    }
    if !blockedIdentities.elementsEqual(sent.state.blockedIdentities, by: ===) {
      merged.blockedIdentities = blockedIdentities
    }
    for before in sent.participants {
      guard let own = index(of: before.participant).map({ participants[$0] }) else {
        _ = merged.remove(before.participant)
        continue
      }
      guard let place = merged.index(of: own) else { continue }
      if own.role != before.role { merged.participants[place].role = own.role }
      if own.permission != before.permission {
        merged.participants[place].permission = own.permission
      }
    }
    for own in participants where own.role != .owner && sent.state.index(of: own) == nil {
      merged.add(own)
    }
    self = merged
  }

  // MARK: Access requests

  mutating func setRequests(_ requesters: [CKUserIdentity], blocked: [CKUserIdentity]) {
    self.requesters = requesters.map { CKShare.AccessRequester($0) }
    blockedIdentities = blocked.map { CKShare.BlockedIdentity($0) }
  }

  mutating func deny(_ denied: [CKShare.AccessRequester]) {
    requesters.removeAll { requester in
      denied.contains { $0.userIdentity.isSameUser(as: requester.userIdentity) }
    }
  }

  mutating func block(_ blocked: [CKShare.AccessRequester]) {
    deny(blocked)
    participants.removeAll { participant in
      blocked.contains { $0.userIdentity.isSameUser(as: participant.userIdentity) }
    }
    blockedIdentities += blocked.map { CKShare.BlockedIdentity($0.userIdentity) }
  }

  mutating func unblock(_ identities: [CKShare.BlockedIdentity]) {
    blockedIdentities.removeAll { blocked in
      identities.contains { $0.userIdentity.isSameUser(as: blocked.userIdentity) }
    }
  }

  // MARK: Coding

  func encode(to coder: NSCoder) {
    coder.encode(allowsAccessRequests, forKey: "AllowsAccessRequests")
    coder.encode(NSArray(array: requesters.map(\.userIdentity)), forKey: "Requesters")
    coder.encode(NSArray(array: blockedIdentities.map(\.userIdentity)), forKey: "Blocked")
    coder.encode(Int64(publicPermission.rawValue), forKey: "PublicPermission")
    coder.encode(NSArray(array: participants), forKey: "Participants")
    coder.encode(url.map { $0 as NSURL }, forKey: "URL")
  }

  init(coder: NSCoder) {
    let number = Int(coder.decodeInt64(forKey: "PublicPermission"))
    let array = coder.optionalObject(
      of: [NSArray.self, CKShare.Participant.self], forKey: "Participants")
    let participants = (array as? [Any])?.compactMap { $0 as? CKShare.Participant } ?? []
    self.init(
      CKShare.ParticipantPermission(rawValue: number) ?? .unknown, participants,
      owner: participants.first { $0.role == .owner } ?? ShareState().owner,
      url: coder.optionalObject(of: NSURL.self, forKey: "URL").map { $0 as URL })
    func identities(_ key: String) -> [CKUserIdentity] {
      let array = coder.optionalObject(of: [NSArray.self, CKUserIdentity.self], forKey: key)
      return (array as? [Any])?.compactMap { $0 as? CKUserIdentity } ?? []
    }
    allowsAccessRequests = coder.decodeBool(forKey: "AllowsAccessRequests")
    setRequests(identities("Requesters"), blocked: identities("Blocked"))
  }
}

/// The state of a share as a request sends it. The participants are objects, which change later.
struct SentShare {
  let state: ShareState
  /// The participants except the owner, with what was sent.
  let participants:
    [(
      participant: CKShare.Participant, role: CKShare.ParticipantRole,
      permission: CKShare.ParticipantPermission
    )]

  init(_ state: ShareState) {
    self.state = state
    participants = state.participants.filter { $0.role != .owner }
      .map { ($0, $0.role, $0.permission) }
  }
}
