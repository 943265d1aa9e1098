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

  let recordID: RecordID
  var change: Change
  /// For a share, the record that it is of, and that record's change tag.
  private(set) var root: SystemFields?

  init(_ body: inout RequestBody) throws {
    let kind = try body.required("operationType", Kind.self)
    guard let parts = try body.object("record", { try RecordParts(&$0, kind) }) else {
      throw WebError(.badRequest, "an operation has no 'record'")
    }
    recordID = parts.recordID
    root = parts.root
    switch kind {
    case .delete:
      change = .delete(RecordDeletion(recordID, recordChangeTag: parts.recordChangeTag))
    case .forceDelete: change = .delete(RecordDeletion(recordID))
    case .create: change = .save(SaveRequest(try parts.draft(tag: nil), .ifServerRecordUnchanged))
    case .update:
      change = .save(
        SaveRequest(try parts.draft(tag: parts.requiredTag()), .ifServerRecordUnchanged))
    case .forceUpdate: change = .save(SaveRequest(try parts.draft(tag: nil), .changedKeys))
    case .replace:
      change = .save(
        SaveRequest(
          try parts.draft(tag: parts.requiredTag()), .ifServerRecordUnchanged,
          replacesFields: true))
    case .forceReplace:
      change = .save(SaveRequest(try parts.draft(tag: nil), .allKeys, replacesFields: true))
    }
  }
}

/// The record of an operation.
private struct RecordParts {
  let recordID: RecordID
  let recordType: String?
  let recordChangeTag: String?
  let parent: Reference?
  let share: Reference?
  let root: SystemFields?
  /// The fields; nil for one that is removed.
  private let fields: [(name: String, field: Field?)]
  /// The members that only shares have.
  private let shareMembers: OtherMembers

  init(_ body: inout RequestBody, _ kind: RecordOperation.Kind) throws {
    body.zoneID = try body.zone() ?? body.zoneID
    // The reference documentation has another spelling of the type of shares.
    let type = try body.value("recordType", String.self)
    recordType = type == "cloudKit.share" ? Share.recordType : type
    let name = try body.value("recordName", String.self)
    guard let name = name ?? (kind == .create ? Self.newName(ofType: recordType) : nil) else {
      throw WebError(.badRequest, "missing required field 'recordName'")
    }
    recordID = RecordID(recordName: name, zoneID: body.zoneID)
    recordChangeTag = try body.value("recordChangeTag")
    var others: [String] = []
    parent = try body.value("parent", Reference.self)?.known(&others)
    share = try body.value("share", Reference.self)?.known(&others)
    root = try Self.root(&body)
    let context = body.context
    fields =
      try body.read("fields") { json in
        guard let members = json.members else {
          throw json.error(expected: "an object: the fields of a record")
        }
        return try members.map { member in
          try inside(member: member.name) {
            let field = try Self.field(member.name, member.value, context)
            return (member.name, field?.known(&others))
          }
        }
      } ?? []
    let shareMembers = try Self.shareMembers(&body, &others)
    self.shareMembers = recordType == Share.recordType ? shareMembers : []
    for name in others { body.note("unknown member of a value", about: name) }
    // What a client sends back of a record that it has read.
    for name in ["created", "modified", "deleted", "pluginFields"] { _ = body.take(name) }
  }

  /// Takes the members that only shares have.
  private static func shareMembers(
    _ body: inout RequestBody, _ others: inout [String]
  ) throws -> OtherMembers {
    var members: [JSONValue.Member] = []
    for name in Share.memberNames {
      guard let value = body.take(name), !value.isNull else { continue }
      members.append(.init(name, name == "participants" ? invited(value) : value))
    }
    let share = try Share(json: .object(members)).known(&others)
    // The model keeps words that it does not know, for servers that are newer.
    if let word = members.first(where: { $0.name == "publicPermission" })?.value,
      share.publicPermission == .unknown,
      word.string != ShareParticipant.Permission.unknown.rawValue
    {
      throw word.error(expected: "\"NONE\", \"READ_ONLY\" or \"READ_WRITE\"")
        .inside(member: "publicPermission")
    }
    // Members that the request does not have are not set.
    let known = try share.jsonValue().members ?? []
    return try OtherMembers(
      json: .object(known.filter { member in members.contains { $0.name == member.name } }))
  }

  private static func newName(ofType recordType: String?) -> String {
    (recordType == Share.recordType ? "Share-" : "") + UUID().uuidString
  }

  private static func field(
    _ name: String, _ json: JSONValue, _ context: DecodingContext
  ) throws -> Field? {
    guard !json.isNull else { return nil }
    return try Field(name: name, json: json, context)
  }

  /// Returns participants with what the server adds to one that a client invites.
  private static func invited(_ participants: JSONValue) -> JSONValue {
    guard let elements = participants.elements else { return participants }
    let defaults = [("type", "USER"), ("permission", "READ_ONLY"), ("acceptanceStatus", "PENDING")]
    return .array(
      elements.map { element in
        guard let members = element.members else { return element }
        let missing = defaults.filter { element[$0.0] == nil }
        return .object(members + missing.map { JSONValue.Member($0.0, .string($0.1)) })
      })
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

  func requiredTag() throws -> String {
    guard let recordChangeTag else {
      throw WebError(.badRequest, "missing required field 'recordChangeTag'")
    }
    return recordChangeTag
  }

  func draft(tag: String?) throws -> DraftRecord {
    guard let recordType else {
      throw WebError(.badRequest, "missing required field 'recordType'")
    }
    var draft = DraftRecord(
      systemFields: SystemFields(
        recordID: recordID, recordType: recordType, recordChangeTag: tag, parent: parent,
        share: share, otherMembers: shareMembers))
    for (name, field) in fields {
      if let field {
        draft.setField(field)
      } else {
        // A field that the draft never had is not one that it removes.
        draft.setField(name, to: .int64(0))
        draft.setField(name, to: nil)
      }
    }
    return draft
  }
}
