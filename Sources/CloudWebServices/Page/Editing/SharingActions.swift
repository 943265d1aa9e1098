import RecordCoding
import RecordModel
import RecordText

extension EditingActions {
  /// Shares records and zones, invites users and changes what they may do.
  func changeShare() async throws -> WebResponse {
    let operation = try form.required("operation")
    switch operation {
    case "create": return try await create()
    case "public", "invite", "permission", "remove": return try await change(operation)
    default: throw WebError(.badRequest, "the form has an unknown operation")
    }
  }

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
    let record: JSONValue = [
      "recordName": root?.recordID.recordName, "recordChangeTag": try form.value("tag"),
    ]
    let title: JSONValue? = try form.value("title").map { ["type": "STRING", "value": $0] }
    let share: JSONValue = [
      "recordType": Share.recordType,
      "forRecord": root == nil ? nil : record,
      "recordName": root == nil ? Share.zoneWideRecordName : nil,
      "publicPermission": try permission("public"),
      "participants": try participant().map { [$0] },
      "fields": title.map { [Share.titleKey: $0] as JSONValue },
    ]
    let shown = root ?? RecordLocation(zone.database, zone.zoneID.zoneWideShare)
    var requests = SentRequests(context, about: shown)
    try await requests.modify("create", share, in: reach)
    return done(requests.numbers, path(of: shown))
  }

  /// The participant whom the form invites; nil for none.
  private func participant() throws -> JSONValue? {
    let email = try form.value("email")
    let user = try form.value("user")
    guard email != nil || user != nil else { return nil }
    // A user is found by an address, or else by the record name.
    let lookupInfo: JSONValue = [
      "emailAddress": email, "userRecordName": email == nil ? user : nil,
    ]
    return [
      "type": "USER", "permission": try permission("permission"),
      "userIdentity": ["lookupInfo": lookupInfo] as JSONValue,
    ]
  }

  // MARK: Changing

  /// Changes a share as a client does: fetches it, and saves it with its change tag.
  private func change(_ operation: String) async throws -> WebResponse {
    let location = try RecordLocation(formText: try form.required("share"))
    let reach = context.actor.reach(location.zone)
    let name = location.recordID.recordName
    var requests = SentRequests(context, about: location)
    let found = try await requests.send(
      "records/lookup", in: reach.database,
      [
        "zoneID": SentRequests.json(reach.zoneID), "records": [["recordName": name] as JSONValue],
      ])
    guard let stored = found.json?["records"]?.elements?.first else {
      return answer(requests.numbers)
    }
    var participants = stored["participants"]?.elements ?? []
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
    let share: JSONValue = [
      "recordType": Share.recordType, "recordName": name,
      "recordChangeTag": stored["recordChangeTag"],
      "publicPermission": operation == "public"
        ? try permission("public") : stored["publicPermission"],
      "participants": participants,
    ]
    try await requests.modify("update", share, in: reach)
    return done(requests.numbers, path(of: location))
  }

  /// The path of the page of a share.
  private func path(of share: RecordLocation) -> String {
    context.link(.sharing, context.items(share.zone) + [("name", share.recordID.recordName)])
  }

  // MARK: Joining

  func accept() async throws -> WebResponse {
    // Of a link, the short identifier is the last part of the path.
    let link = try form.required("link")
    let shortGUID = link.prefix { $0 != "#" }.split(separator: "/").last.map(String.init) ?? link
    var requests = SentRequests(context)
    let reply = try await requests.send(
      "records/accept", in: .public, ["shortGUIDs": [["value": shortGUID] as JSONValue]])
    guard let result = reply.json?["results"]?.elements?.first else {
      return answer(requests.numbers)
    }
    let share = try form.value("share").map { try RecordLocation(formText: $0) }
    return done(requests.numbers, path(of: result, share))
  }

  /// The path of what is shared: the record, or the records of a zone. In the view of the whole container,
  /// that of the share.
  private func path(of result: JSONValue, _ share: RecordLocation?) -> String {
    guard !context.actor.isWhole, let zone = result["zoneID"]?["zoneName"]?.string,
      let owner = result["zoneID"]?["ownerRecordName"]?.string
    else { return share.map(path) ?? context.link(.shares) }
    let zoneID = ZoneID(zoneName: zone, ownerName: owner)
    guard let root = result["rootRecordName"]?.string else {
      return context.link(.records, context.items(ZoneLocation(.shared, zoneID)))
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
