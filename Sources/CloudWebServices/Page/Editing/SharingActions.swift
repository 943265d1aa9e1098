import RecordCoding
import RecordModel

/// Shares records and zones, invites users and changes what they may do; joins and leaves shares.
struct SharingActions {
  let context: ConsoleRequest
  let form: ConsoleForm

  func response() async throws -> WebResponse {
    let operation = try form.required("operation")
    switch operation {
    case "create": return try await create()
    case "public", "invite", "permission", "remove": return try await change(operation)
    case "accept": return try await accept()
    default: throw WebError(.badRequest, "the form has an unknown operation")
    }
  }

  private var actions: EditingActions { EditingActions(context: context, form: form) }

  private static let permissions = ["NONE", "READ_ONLY", "READ_WRITE"]

  private func permission(_ name: String) throws -> JSONValue {
    let text = try form.required(name)
    guard Self.permissions.contains(text) else {
      throw WebError(
        .badRequest, "'\(name)' is one of \(Self.permissions.joined(separator: ", "))")
    }
    return .string(text)
  }

  // MARK: Creating

  /// Shares a record, or a zone if the form names no record.
  private func create() async throws -> WebResponse {
    let zone = try ZoneLocation(formText: try form.required("zone"))
    let root = try form.value("record").map { try RecordLocation(formText: $0) }
    let reach = context.actor.reach(zone)
    var share = JSONObjectWriter()
    share.add("recordType", Share.recordType)
    if let root {
      var record = JSONObjectWriter()
      record.add("recordName", root.recordID.recordName)
      record.add("recordChangeTag", try form.value("tag"))
      share.add("forRecord", record.value)
    } else {
      share.add("recordName", Share.zoneWideRecordName)
    }
    share.add("publicPermission", try permission("public"))
    if let participant = try participant() { share.add("participants", .array([participant])) }
    if let title = try form.value("title") {
      let field = JSONValue.object([
        .init("type", .string("STRING")), .init("value", .string(title)),
      ])
      share.add("fields", .object([.init(Share.titleKey, field)]))
    }
    let reply = try await modify("create", share.value, in: reach).send(context)
    let name = reply.json?["records"]?.elements?.first?["recordName"]?.string
    return actions.answer([reply.number], name.map { location($0, in: zone) })
  }

  /// The participant whom the form invites; nil for none.
  private func participant() throws -> JSONValue? {
    let email = try form.value("email")
    let user = try form.value("user")
    guard email != nil || user != nil else { return nil }
    var lookupInfo = JSONObjectWriter()
    // A user is found by an address, or else by the record name.
    lookupInfo.add("emailAddress", email)
    if email == nil { lookupInfo.add("userRecordName", user) }
    return .object([
      .init("type", .string("USER")), .init("permission", try permission("permission")),
      .init("userIdentity", .object([.init("lookupInfo", lookupInfo.value)])),
    ])
  }

  // MARK: Changing

  /// Changes a share as a client does: fetches it, and saves it with its change tag.
  private func change(_ operation: String) async throws -> WebResponse {
    let location = try RecordLocation(formText: try form.required("share"))
    let reach = context.actor.reach(location.zone)
    let name = JSONValue.string(location.recordID.recordName)
    let found = try await ServiceCall(
      scope: reach.database, endpoint: "records/lookup",
      body: .object([
        .init("zoneID", ServiceCall.json(reach.zoneID)),
        .init("records", .array([.object([.init("recordName", name)])])),
      ])
    ).send(context)
    guard found.error == nil, let stored = found.json?["records"]?.elements?.first else {
      return actions.answer([found.number], location)
    }
    var participants = stored["participants"]?.elements ?? []
    var share = JSONObjectWriter()
    share.add("recordType", Share.recordType)
    share.add("recordName", name)
    share.add("recordChangeTag", stored["recordChangeTag"])
    share.add(
      "publicPermission",
      operation == "public" ? try permission("public") : stored["publicPermission"])
    if operation == "invite" {
      guard let participant = try participant() else {
        throw WebError(.badRequest, "the form names nobody")
      }
      participants.append(participant)
    } else if operation != "public" {
      let chosen = try form.required("participant")
      guard let index = participants.firstIndex(where: { $0.participantID == chosen }) else {
        throw WebError(.badRequest, "the share has no such participant")
      }
      if operation == "remove" {
        participants.remove(at: index)
      } else {
        let permission = try permission("permission")
        participants[index] = participants[index].mappingMembers {
          $0.name == "permission" ? permission : $0.value
        }
      }
    }
    share.add("participants", .array(participants))
    let reply = try await modify("update", share.value, in: reach).send(context)
    return actions.answer([found.number, reply.number], location)
  }

  private func modify(
    _ operation: String, _ record: JSONValue, in reach: ZoneLocation
  ) -> ServiceCall {
    let operation = JSONValue.object([
      .init("operationType", .string(operation)), .init("record", record),
    ])
    return ServiceCall(
      scope: reach.database, endpoint: "records/modify",
      body: .object([
        .init("zoneID", ServiceCall.json(reach.zoneID)), .init("operations", .array([operation])),
      ]))
  }

  private func location(_ name: String, in zone: ZoneLocation) -> RecordLocation {
    RecordLocation(zone.database, RecordID(recordName: name, zoneID: zone.zoneID))
  }

  // MARK: Joining

  private func accept() async throws -> WebResponse {
    let item = JSONValue.object([.init("value", .string(try form.required("link")))])
    let reply = try await ServiceCall(
      scope: .public, endpoint: "records/accept",
      body: .object([.init("shortGUIDs", .array([item]))])
    ).send(context)
    let share = try form.value("share").map { try RecordLocation(formText: $0) }
    return actions.answer([reply.number], share)
  }
}

extension JSONValue {
  /// The identity of a participant in a form.
  var participantID: String? {
    self["participantId"]?.string ?? self["participantID"]?.string
      ?? self["userIdentity"]?["userRecordName"]?.string
      ?? self["userIdentity"]?["lookupInfo"]?["emailAddress"]?.string
  }
}
