import RecordModel

extension Share: JSONConvertible {
  /// Reads the special members of a share from a record dictionary or any other object, and ignores
  /// the rest.
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a share", context)
    let permission = try members.value("publicPermission", String.self)
    self.init(
      publicPermission: permission.map { .init(rawValue: $0) ?? .unknown } ?? .none,
      participants: try members.value("participants") ?? [],
      owner: try members.value("owner"),
      currentUserParticipant: try members.value("currentUserParticipant"),
      shortGUID: try members.value("shortGUID"), url: try members.value("url"))
  }

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter(zoneID: zoneID)
    members.add("publicPermission", publicPermission.rawValue)
    try members.add("participants", participants)
    try members.add("owner", owner)
    try members.add("currentUserParticipant", currentUserParticipant)
    members.add("shortGUID", shortGUID)
    members.add("url", url)
    return members.value
  }

  /// The members of a record dictionary that only shares have.
  package static let memberNames = [
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
    set {
      // Raw JSON is valid, and all else is text, so this cannot fail.
      let json = newValue.flatMap { try? $0.jsonValue() }
      // Keeps a permission that the model does not know.
      let keepsPermission =
        newValue?.publicPermission == .unknown
        && shareInfo?.publicPermission == .unknown
      for name in Share.memberNames where !(keepsPermission && name == "publicPermission") {
        otherMembers.set(name, to: json?[name]?.raw)
      }
    }
  }
}

extension SystemFields {
  /// Sets the special members of a share.
  package mutating func setShareInfo(_ share: Share) {
    var draft = DraftRecord(systemFields: self)
    draft.shareInfo = share
    self = draft.systemFields
  }
}

extension Share {
  init(members: OtherMembers) throws {
    try self.init(json: .object(members.jsonMembers()))
  }
}
