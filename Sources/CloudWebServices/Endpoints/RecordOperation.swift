import CloudInterface
import Foundation
import MockCloud
import RecordCoding
import RecordModel

/// One operation of `records/modify`.
///
/// Source: Apple's *CloudKit Web Services Reference*, "Record Operation Dictionary" and "Record
/// Dictionary".
struct RecordOperation: Sendable {
  enum Kind: String, JSONEnum {
    case create, update, forceUpdate, replace, forceReplace, delete, forceDelete
  }

  enum Change: Sendable {
    case save(SaveRequest)
    case delete(RecordDeletion)
  }

  /// The fields of the record in the response; nil for those that the request names.
  let desiredKeys: [String]?
  private let kind: Kind
  private let record: OperatedRecord

  init(_ body: inout RequestBody) throws {
    let kind = try body.required("operationType", Kind.self)
    desiredKeys = try body.value("desiredKeys")
    guard let record = try body.object("record", { try OperatedRecord(&$0, kind) }) else {
      throw WebError.missing("record")
    }
    self.kind = kind
    self.record = record
    switch kind {
    case .create, .forceUpdate:
      guard record.recordType != nil else {
        throw WebError.missing("recordType")
      }
    case .update, .replace:
      guard record.recordChangeTag != nil else {
        throw WebError.missing("recordChangeTag")
      }
    case .forceReplace, .delete, .forceDelete: break
    }
  }

  var recordID: RecordID { record.recordID }
  /// For a share, the record that it shares, and that record's change tag.
  var root: SystemFields? { record.root }
  var isDeletion: Bool { kind == .delete || kind == .forceDelete }
  /// Whether the record has the type of the stored one. Source: "Updating Records" and "Replacing
  /// Records", whose records name no type.
  var lacksType: Bool { !isDeletion && record.recordType == nil }

  /// Returns the change that the operation asks for.
  ///
  /// - Parameter storedType: the type of the stored record; nil if there is none.
  func change(ofType storedType: String?) -> Change {
    func save(_ tag: String?, _ policy: RecordSavePolicy, replacesFields: Bool = false) -> Change {
      var save = SaveRequest(
        record.draft(tag: tag, ofType: storedType), policy, replacesFields: replacesFields)
      save.sendsParent = record.parent != .absent
      save.sendsShare = record.share != .absent
      return .save(save)
    }
    let tag = record.recordChangeTag
    // CloudKit compares the tag of a share even if the save is forced. Source: Apple's documentation of
    // `CKShare`.
    let forcedTag = (record.recordType ?? storedType) == Share.recordType ? tag : nil
    return switch kind {
    case .delete: .delete(RecordDeletion(recordID, recordChangeTag: tag))
    case .forceDelete: .delete(RecordDeletion(recordID))
    case .create: save(nil, .ifServerRecordUnchanged)
    case .update: save(tag, .ifServerRecordUnchanged)
    case .forceUpdate: save(forcedTag, .changedKeys)
    case .replace: save(tag, .ifServerRecordUnchanged, replacesFields: true)
    case .forceReplace: save(forcedTag, .allKeys, replacesFields: true)
    }
  }
}

/// The record of an operation. Members that are not known are neither stored nor sent back.
private struct OperatedRecord {
  /// A member that refers to a record.
  enum Link: Equatable {
    /// The request does not have the member: the record keeps it.
    case absent
    /// A reference, or null, which removes that of the record.
    case sent(Reference?)

    var reference: Reference? {
      if case .sent(let reference) = self { reference } else { nil }
    }
  }

  let recordID: RecordID
  let recordType: String?
  let recordChangeTag: String?
  let parent: Link
  let share: Link
  let root: SystemFields?
  /// The fields; nil for one that is removed.
  private let fields: [(name: String, field: Field?)]
  /// The members that only shares have.
  private let shareMembers: OtherMembers

  init(_ body: inout RequestBody, _ kind: RecordOperation.Kind) throws {
    body.zoneID = try body.zone() ?? body.zoneID
    recordType = try body.value("recordType")
    // Apple's reference spells the type of shares so. Source: MistKit #437 (live).
    guard recordType != "cloudKit.share" else {
      throw WebError(.badRequest, "Cannot share - no such record exists to share")
    }
    let name = try body.value("recordName", String.self)
    guard let name = name ?? (kind == .create ? Self.newName(ofType: recordType) : nil) else {
      throw WebError.missing("recordName")
    }
    recordID = RecordID(recordName: name, zoneID: body.zoneID)
    recordChangeTag = try body.value("recordChangeTag")
    parent = try Self.link("parent", &body)
    share = try Self.link("share", &body)
    root = try Self.root(&body)
    let context = body.context
    fields =
      try body.read("fields") { json in
        guard let members = json.members else {
          throw json.error(expected: "an object: the fields of a record")
        }
        return try members.map { member in
          try inside(member: member.name) {
            let isRemoved = member.value.isNull
            return (
              member.name,
              isRemoved ? nil : try Field(name: member.name, json: member.value, context)
            )
          }
        }
      } ?? []
    shareMembers = try Self.shareMembers(&body)
    // A client may send back all members of a record that it has read.
    try body.ignore(["deleted"], Bool.self)
    try body.ignore(["created", "modified"], RecordStamp.self)
    _ = try body.read("pluginFields") { try OtherMembers(json: $0) }
  }

  private static func link(_ name: String, _ body: inout RequestBody) throws -> Link {
    let isRemoved = body.hasNull(name)
    let reference = try body.value(name, Reference.self)
    return reference == nil && !isRemoved ? .absent : .sent(reference)
  }

  /// Takes the members that only shares have.
  private static func shareMembers(_ body: inout RequestBody) throws -> OtherMembers {
    var members: [JSONValue.Member] = []
    for name in Share.memberNames {
      guard let value = body.take(name), !value.isNull else { continue }
      members.append(.init(name, name == "participants" ? try invited(value) : value))
    }
    let json = JSONValue.object(members)
    try check(json, "publicPermission", ShareParticipant.Permission.self)
    let share = try Share(json: json, body.context)
    // Members that the request does not have are not set.
    let read = try share.jsonValue()
    return try OtherMembers(
      json: .object(
        members.compactMap { member in read[member.name].map { .init(member.name, $0) } }))
  }

  private static func newName(ofType recordType: String?) -> String {
    (recordType == Share.recordType ? "Share-" : "") + UUID().uuidString
  }

  /// Returns participants with the members that the server adds to one that a client invites.
  ///
  /// - Throws: an error for a participant without an identity, whom no user can be.
  private static func invited(_ participants: JSONValue) throws -> JSONValue {
    guard let elements = participants.elements else { return participants }
    let defaults = [("type", "USER"), ("permission", "READ_ONLY"), ("acceptanceStatus", "PENDING")]
    return .array(
      try elements.map { element in
        guard let members = element.members else { return element }
        try check(element, "type", ShareParticipant.Role.self)
        try check(element, "permission", ShareParticipant.Permission.self)
        // Apple's reference has INVITED; servers send PENDING.
        try check(
          element, "acceptanceStatus", ShareParticipant.AcceptanceStatus.self, or: "INVITED")
        let identity = element["userIdentity"] ?? .null
        let names =
          (identity["lookupInfo"]?.members ?? []).map(\.value) + [identity["userRecordName"]]
        let isNamed = names.contains { $0?.string?.isEmpty == false }
        if !isNamed, element["participantId"]?.string == nil,
          identity.isNull || identity.members != nil
        {
          throw WebError.missing("userIdentity")
        }
        let missing = defaults.filter { element[$0.0] == nil }
        return .object(members + missing.map { JSONValue.Member($0.0, .string($0.1)) })
      })
  }

  /// Checks that a member is a word of its type. The model keeps other words, for servers that are newer.
  private static func check<Word: RawRepresentable & CaseIterable>(
    _ json: JSONValue, _ name: String, _ type: Word.Type, or other: String? = nil
  ) throws where Word.RawValue == String {
    guard let value = json[name], let word = value.string, word != other,
      Word(rawValue: word) == nil
    else { return }
    throw value.error(expected: Word.allCases.map(\.rawValue).joined(separator: " or "))
      .inside(member: name)
  }

  /// Takes `forRecord` and `createShortGUID`. Every share gets a short identifier.
  private static func root(_ body: inout RequestBody) throws -> SystemFields? {
    if try body.value("createShortGUID", Bool.self) == true {
      body.note(
        "only shares have a short identifier; ignored for others:", about: "createShortGUID")
    }
    return try body.object("forRecord") { inner in
      SystemFields(
        recordID: RecordID(
          recordName: try inner.required("recordName"), zoneID: inner.zoneID),
        recordType: "", recordChangeTag: try inner.value("recordChangeTag"))
    }
  }

  /// Returns the draft that the request saves.
  func draft(tag: String?, ofType storedType: String?) -> DraftRecord {
    let type = recordType ?? storedType ?? ""
    var draft = DraftRecord(
      systemFields: SystemFields(
        recordID: recordID, recordType: type, recordChangeTag: tag, parent: parent.reference,
        share: share.reference, otherMembers: type == Share.recordType ? shareMembers : []))
    for (name, field) in fields {
      if let field { draft.setField(field) } else { draft.markRemoved(name) }
    }
    return draft
  }
}
