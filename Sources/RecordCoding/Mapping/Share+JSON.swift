import RecordModel

extension Share: JSONConvertible {
  /// Reads the special members of a share out of its record dictionary, or out of an object of
  /// their own; others are left out.
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "a share")
    let permission = try members.word(
      "publicPermission", ShareParticipant.Permission.unknown, ShareParticipant.Permission.init)
    let hasPermission = json["publicPermission"].map { !$0.isNull } ?? false
    self.init(
      publicPermission: hasPermission ? permission.value : .none,
      participants: try members.read("participants") { (json) throws(RecordCodingError) in
        try json.expectElements { (json) throws(RecordCodingError) in
          try ShareParticipant(json: json)
        }
      } ?? [],
      owner: try members.object("owner"),
      currentUserParticipant: try members.object("currentUserParticipant"),
      shortGUID: try members.string("shortGUID"), url: try members.string("url"))
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("publicPermission", publicPermission.rawValue)
    members.add(
      "participants",
      try JSONValue.list(participants) { (participant) throws(RecordCodingError) in
        try participant.jsonValue()
      })
    try members.add("owner", owner)
    try members.add("currentUserParticipant", currentUserParticipant)
    members.add("shortGUID", shortGUID)
    members.add("url", url)
    return members.value
  }

  /// The members of a record dictionary that a share has beside those of every record.
  static let memberNames = [
    "publicPermission", "participants", "owner", "currentUserParticipant", "shortGUID", "url",
  ]
}

extension ResultRecord {
  /// What the record has as a share beside its fields; nil where it is none, or where the members
  /// that say so cannot be read (``readShareInfo()`` says why).
  public var shareInfo: Share? { try? readShareInfo() }

  /// What the record has as a share beside its fields; nil where it is none.
  ///
  /// - Throws: ``RecordCodingError`` where its special members are not as a share's should be.
  public func readShareInfo() throws -> Share? {
    guard isShare else { return nil }
    return try Share(members: systemFields.otherMembers)
  }
}

extension DraftRecord {
  /// What the draft has as a share beside its fields; nil where it is none.
  ///
  /// Setting it writes the share's special members and leaves other members, and the unknown
  /// members of participants, as they are. Setting nil removes them.
  public var shareInfo: Share? {
    get { recordType == Share.recordType ? try? Share(members: otherMembers) : nil }
    set { newValue.write(to: &otherMembers) }
  }
}

extension Share {
  init(members: OtherMembers) throws(RecordCodingError) {
    var known = MemberWriter()
    for name in Self.memberNames {
      if let raw = members[name] { known.add(name, try JSONValue(raw: raw)) }
    }
    try self.init(json: known.value)
  }
}

extension Share? {
  fileprivate func write(to members: inout OtherMembers) {
    // What came from a server is JSON already, and the rest of a share is text: this cannot fail.
    let json = self.flatMap { try? $0.jsonValue() }
    for name in Share.memberNames {
      if name == "publicPermission", self?.publicPermission == .unknown, members[name] != nil {
        continue  // A word that the model does not know stays.
      }
      members.set(name, to: json?[name]?.raw)
    }
  }
}
