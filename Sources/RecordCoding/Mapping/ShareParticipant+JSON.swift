import RecordModel

extension ShareParticipant: JSONMapped {
  package static var noun: String { "a participant of a share" }
  package static var empty: ShareParticipant { ShareParticipant(userIdentity: UserIdentity()) }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map("participantId", or: "participantID", &participantID)
    try members.map(word: "type", &role, unknown: .unknown, Role.init)
    try members.map(word: "permission", &permission, unknown: .unknown, Permission.init)
    try members.map(word: "acceptanceStatus", &acceptanceStatus, unknown: .unknown) {
      // The documentation of Web Services has INVITED; servers and other libraries send PENDING.
      $0 == "INVITED" ? .pending : AcceptanceStatus(rawValue: $0)
    }
    var identity: UserIdentity? = userIdentity
    try members.map("userIdentity", &identity)
    userIdentity = identity ?? UserIdentity()
  }
}
