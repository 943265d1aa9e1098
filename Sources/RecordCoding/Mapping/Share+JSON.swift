import RecordModel

extension Share: JSONConvertible {
  /// Reads the special members of a share from a record dictionary or any other object, and ignores
  /// the rest.
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

  /// The members of a record dictionary that only shares have.
  static let memberNames = [
    "publicPermission", "participants", "owner", "currentUserParticipant", "shortGUID", "url",
  ]
}

extension ResultRecord {
  /// The share's special members; nil if the record is not a share, or they are invalid.
  ///
  /// ``readShareInfo()`` throws an error for invalid members.
  public var shareInfo: Share? { try? readShareInfo() }

  /// Returns the share's special members; nil if the record is not a share.
  ///
  /// - Throws: ``RecordCodingError`` if the members are invalid.
  public func readShareInfo() throws -> Share? {
    guard isShare else { return nil }
    return try Share(members: systemFields.otherMembers)
  }
}

extension DraftRecord {
  /// The share's special members; nil if the draft is not a share, or they are invalid.
  ///
  /// Setting it preserves other members, and the unknown members of participants. Setting nil
  /// removes the special members.
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
    // Raw JSON is valid, and all else is text, so this cannot fail.
    let json = self.flatMap { try? $0.jsonValue() }
    for name in Share.memberNames {
      if name == "publicPermission", self?.publicPermission == .unknown, members[name] != nil {
        continue  // Keeps a permission that the model does not know.
      }
      members.set(name, to: json?[name]?.raw)
    }
  }
}
