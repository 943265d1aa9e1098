import RecordModel

extension ShareParticipant: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "a participant of a share")
    let participantID = try members.string("participantId")
    let otherSpelling = try members.string("participantID")
    let role = try members.word("type", Role.unknown, Role.init)
    let permission = try members.word("permission", Permission.unknown, Permission.init)
    let status = try members.word("acceptanceStatus", AcceptanceStatus.unknown) {
      // The documentation of Web Services has INVITED; servers and other libraries send PENDING.
      $0 == "INVITED" ? .pending : AcceptanceStatus(rawValue: $0)
    }
    let userIdentity = try members.object("userIdentity", UserIdentity.self)
    self.init(
      participantID: participantID ?? otherSpelling, role: role.value,
      permission: permission.value, acceptanceStatus: status.value,
      userIdentity: userIdentity ?? UserIdentity())
    otherMembers = members.others()
    for word in [role.unknown, permission.unknown, status.unknown] {
      if let word { otherMembers.set(word.name, to: word.value) }
    }
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    var others = otherMembers
    members.add("participantId", participantID)
    try members.add(word: "type", role.rawValue, isUnknown: role == .unknown, &others)
    try members.add(
      word: "permission", permission.rawValue, isUnknown: permission == .unknown, &others)
    try members.add(
      word: "acceptanceStatus", acceptanceStatus.rawValue,
      isUnknown: acceptanceStatus == .unknown, &others)
    try members.add("userIdentity", userIdentity)
    try members.add(others)
    return members.value
  }
}

extension MemberReader {
  /// Takes a member that is one of a set of words; also returns the member if the word is unknown.
  mutating func word<T>(
    _ name: String, _ unknown: T, _ make: (String) -> T?
  ) throws(RecordCodingError) -> (value: T, unknown: OtherMember?) {
    guard let text = try string(name) else { return (unknown, nil) }
    if let value = make(text) { return (value, nil) }
    return (unknown, OtherMember(name: name, value: JSONValue.string(text).raw))
  }
}

extension MemberWriter {
  /// Adds a word; an unknown one as it was read.
  mutating func add(
    word name: String, _ text: String, isUnknown: Bool, _ others: inout OtherMembers
  ) throws(RecordCodingError) {
    if isUnknown, let raw = others[name] {
      add(name, try JSONValue(raw: raw))
    } else {
      add(name, text)
    }
    others.set(name, to: nil)
  }
}
