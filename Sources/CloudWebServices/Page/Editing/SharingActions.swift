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
    let reply = try await ServiceCall.modify("create", share.value, in: reach).send(context)
    let name = reply.json?["records"]?.elements?.first?["recordName"]?.string
    return shared([reply.number], reply, root ?? name.map { location($0, in: zone) })
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
    let reply = try await ServiceCall.modify("update", share.value, in: reach).send(context)
    return shared([found.number, reply.number], reply, location)
  }

  /// Leads to the page of a share or of its root, or to the response that has an error.
  private func shared(
    _ numbers: [Int], _ reply: ServiceCall.Reply, _ share: RecordLocation?
  ) -> WebResponse {
    guard reply.error == nil, let share else { return actions.answer(numbers, share) }
    return actions.done(numbers, path(of: share))
  }

  /// The path of the page of a share.
  private func path(of share: RecordLocation) -> String {
    let items = context.items(share.database, share.recordID.zoneID)
    return context.link(.sharing, items + [("name", share.recordID.recordName)])
  }

  private func location(_ name: String, in zone: ZoneLocation) -> RecordLocation {
    RecordLocation(zone.database, RecordID(recordName: name, zoneID: zone.zoneID))
  }

  // MARK: Joining

  private func accept() async throws -> WebResponse {
    // Of a link, the short identifier is the last part of the path.
    let link = try form.required("link")
    let shortGUID = link.prefix { $0 != "#" }.split(separator: "/").last.map(String.init) ?? link
    let item = JSONValue.object([.init("value", .string(shortGUID))])
    let reply = try await ServiceCall(
      scope: .public, endpoint: "records/accept",
      body: .object([.init("shortGUIDs", .array([item]))])
    ).send(context)
    guard reply.error == nil, let result = reply.json?["results"]?.elements?.first else {
      return actions.answer([reply.number], nil)
    }
    let share = try form.value("share").map { try RecordLocation(formText: $0) }
    return actions.done([reply.number], path(of: result, share), .joined)
  }

  /// The path of what is shared: the record, or the records of a zone. In the view of the whole container,
  /// that of the share.
  private func path(of result: JSONValue, _ share: RecordLocation?) -> String {
    guard !context.actor.isWhole, let zone = result["zoneID"]?["zoneName"]?.string,
      let owner = result["zoneID"]?["ownerRecordName"]?.string
    else { return share.map(path) ?? context.link(.shares) }
    let zoneID = ZoneID(zoneName: zone, ownerName: owner)
    guard let root = result["rootRecordName"]?.string else {
      return context.link(.records, context.items(.shared, zoneID))
    }
    return context.link(to: RecordID(recordName: root, zoneID: zoneID), in: .shared)
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
