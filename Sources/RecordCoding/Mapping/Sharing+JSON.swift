import Foundation
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
      shortGUID: try members.value("shortGUID"), link: try members.value("url"))
    allowsAccessRequests = try members.value("allowsAccessRequests") ?? false
    requesters = try members.value("requesters") ?? []
    blockedIdentities = try members.value("blockedIdentities") ?? []
  }

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter(zoneID: zoneID)
    members.add("publicPermission", publicPermission.rawValue)
    try members.add("participants", participants)
    try members.add("owner", owner)
    try members.add("currentUserParticipant", currentUserParticipant)
    members.add("shortGUID", shortGUID)
    members.add("url", link)
    if allowsAccessRequests { try members.add("allowsAccessRequests", true) }
    if !requesters.isEmpty { try members.add("requesters", requesters) }
    if !blockedIdentities.isEmpty { try members.add("blockedIdentities", blockedIdentities) }
    return members.value
  }

  /// The members of a record dictionary that only shares have.
  package static let memberNames = [
    "publicPermission", "participants", "owner", "currentUserParticipant", "shortGUID", "url",
    "allowsAccessRequests", "requesters", "blockedIdentities",
  ]
}

extension ResultRecord {
  /// The share's special members; nil if the record is not a share, or they are invalid.
  public var shareInfo: Share? { try? readShareInfo() }

  /// Returns the share's special members; nil if the record is not a share.
  ///
  /// - Throws: ``RecordCodingError`` if the members are invalid.
  package func readShareInfo() throws -> Share? {
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

extension DraftRecord {
  /// Changes the share's special members.
  ///
  /// ```swift
  /// try share.updateShare { $0.publicPermission = .readOnly }
  /// ```
  ///
  /// Unlike `shareInfo?.publicPermission = .readOnly`, which does nothing if ``shareInfo`` is nil, it
  /// throws an error.
  ///
  /// - Throws: `CloudError` with `invalidArguments` if the draft is not a share, or its members cannot
  ///   be read.
  public mutating func updateShare(_ body: (inout Share) throws -> Void) throws {
    guard var share = shareInfo else {
      let problem =
        recordType == Share.recordType
        ? "has members of a share that cannot be read" : "is not a share"
      throw CloudError(
        .invalidArguments, "the record '\(recordID)' of type '\(recordType)' \(problem)")
    }
    try body(&share)
    shareInfo = share
  }

  /// Adds a participant to a share, or changes the one with the same identity
  /// (`CKShare.addParticipant`).
  ///
  /// - Throws: like ``updateShare(_:)``.
  public mutating func addParticipant(_ participant: ShareParticipant) throws {
    try updateShare { $0.addParticipant(participant) }
  }

  /// Removes a participant from a share (`CKShare.removeParticipant`).
  ///
  /// - Throws: like ``updateShare(_:)``.
  public mutating func removeParticipant(_ participant: ShareParticipant) throws {
    try updateShare { $0.removeParticipant(participant) }
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
    // The names are not the server's, which are not known.
    try members.map("isApprovedRequester", &isApprovedRequester, default: false)
    try members.map("dateAddedToShare", &dateAddedToShare)
    try members.map("isOneTimeURLParticipant", &isOneTime, default: false)
    try members.map("oneTimeURL", &oneTimeLink)
  }
}

extension UserIdentity: JSONMapped {
  package static var noun: String { "a user identity" }
  package static var isPrivate: Bool { true }
  package static var empty: UserIdentity { UserIdentity() }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map("userRecordName", &userRecordName)
    try members.map("nameComponents", &nameComponents)
    try members.map("lookupInfo", &lookupInfo)
  }
}

extension UserIdentity.LookupInfo: JSONMapped {
  package static var noun: String { "lookup info" }
  package static var isPrivate: Bool { true }
  package static var empty: Self { Self() }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map("emailAddress", &emailAddress)
    try members.map("phoneNumber", &phoneNumber)
    try members.map("userRecordName", &userRecordName)
  }
}

extension UserIdentity.NameComponents: JSONMapped {
  package static var noun: String { "name components" }
  package static var isPrivate: Bool { true }
  package static var empty: Self { Self() }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map("namePrefix", &namePrefix)
    try members.map("givenName", &givenName)
    try members.map("middleName", &middleName)
    try members.map("familyName", &familyName)
    try members.map("nameSuffix", &nameSuffix)
    try members.map("nickname", &nickname)
  }
}

extension DraftRecord {
  /// Creates a share of a record and of all records below it (`CKShare(rootRecord:)`).
  ///
  /// ```swift
  /// var chat = DraftRecord(recordType: "Chat", zoneID: chats)
  /// let share = DraftRecord(sharing: &chat, participants: [kenji])
  /// try await database.modifyRecords(saving: [chat, share], deleting: [])
  /// ```
  ///
  /// - Parameters:
  ///   - root: the record to share, which gets a reference to the share. Save both in one request.
  ///   - participants: the users who are invited; the server adds the owner.
  ///   - publicPermission: what everyone may do who has the link.
  ///   - title: the title that invitations show.
  ///   - recordName: the name of the share's record; nil for a random one.
  public init(
    sharing root: inout DraftRecord, participants: [ShareParticipant] = [],
    publicPermission: ShareParticipant.Permission = .none, title: String? = nil,
    recordName: String? = nil
  ) {
    let recordID = RecordID(
      recordName: recordName ?? "Share-\(UUID().uuidString)", zoneID: root.recordID.zoneID)
    self.init(shareWith: recordID, participants, publicPermission, title)
    root.share = Reference(recordID: recordID)
  }

  /// Creates a share of a whole zone (`CKShare(recordZoneID:)`).
  public init(
    sharingZone zoneID: ZoneID, participants: [ShareParticipant] = [],
    publicPermission: ShareParticipant.Permission = .none, title: String? = nil
  ) {
    let recordID = RecordID(recordName: Share.zoneWideRecordName, zoneID: zoneID)
    self.init(shareWith: recordID, participants, publicPermission, title)
  }

  private init(
    shareWith recordID: RecordID, _ participants: [ShareParticipant],
    _ publicPermission: ShareParticipant.Permission, _ title: String?
  ) {
    self.init(recordType: Share.recordType, recordID: recordID)
    shareInfo = Share(publicPermission: publicPermission, participants: participants)
    self[Share.titleKey] = title
  }
}
