import Foundation
import MockCloud
import RecordCoding
import RecordModel
import RecordSchema
import RecordText

/// Carries out the forms of the console that change records, zones and shares: each sends requests of
/// CloudKit Web Services, as a client does.
struct EditingActions {
  let context: ConsoleRequest
  let action: PageAction
  let form: ConsoleForm

  /// Returns the view that shows the result, or the response that has an error.
  func response() async throws -> WebResponse {
    do {
      return try await done()
    } catch let rejected as RejectedRequest {
      return answer(rejected.sent.numbers, about: rejected.sent.record)
    }
  }

  private func done() async throws -> WebResponse {
    switch action {
    case .save: return try await save()
    case .deleteRecord: return try await deleteRecord()
    case .createZone:
      let zone = context.actor.ownZone(try form.required("name"))
      return done(try await change("create", zone).numbers, context.link(.zones))
    case .deleteZone: return try await deleteZone()
    case .restore: return try await restore()
    case .undo: return try undo()
    case .subscribe: return try await subscribe()
    case .unsubscribe:
      let subscription: JSONValue = ["subscriptionID": try form.required("subscription")]
      return try await change("delete", subscription, in: try database())
    case .share: return try await changeShare()
    case .accept: return try await accept()
    case .addUser: return try addUser()
    case .actAs:
      var response = WebResponse(to: context.link(.overview))
      response.headers["Set-Cookie"] = context.actor.setCookie(for: context.name)
      return response
    default: throw WebError(.notFound, "the path leads nowhere")
    }
  }

  // MARK: Records

  private func save() async throws -> WebResponse {
    var record = try RecordForm(form)
    let step = try form.value("step") ?? "save"
    switch step {
    case "save": break
    case "overwrite": record.tag = try form.required("current-tag")
    case "field": return shown(try record.addingField(form))
    default:
      guard step.hasPrefix("add ") else {
        throw WebError(.badRequest, "the form has an unknown button")
      }
      return shown(try record.addingElement(String(step.dropFirst("add ".count))))
    }
    switch try await record.save(context) {
    case .saved(let numbers, let location):
      return done(numbers, context.link(to: location.recordID, in: location.database))
    case .failed(let failed, let reply):
      var current: ResultRecord?
      if !record.isNew, reply?.error?.code == WebErrorCode.conflict.rawValue {
        current = try context.record(at: RecordLocation(record.zone.database, record.recordID))
      }
      return WebResponse(
        html: RecordFormView(context: context).html(failed, answer: reply, current: current),
        status: 400)
    }
  }

  private func shown(_ record: RecordForm) -> WebResponse {
    WebResponse(html: RecordFormView(context: context).html(record))
  }

  private func deleteRecord() async throws -> WebResponse {
    let record = try RecordLocation(formText: try form.required("record"))
    let reach = context.actor.reach(record.zone)
    let type = try form.value("type")
    // A participant who deletes a share leaves it.
    let isLeaving = type == Share.recordType && !context.actor.owns(record.zone)
    let removal = try isLeaving ? nil : context.removal(of: record, keepsContent: true)
    var requests = SentRequests(context, about: record)
    try await requests.modify(
      "delete",
      ["recordName": record.recordID.recordName, "recordChangeTag": try form.value("tag")],
      in: reach)
    let list = context.link(.records, context.items(record.zone, type: type))
    return try deleted(removal, requests, removal == nil ? context.link(.shares) : list)
  }

  /// Leads to a page that offers to undo the deletion, if something was deleted.
  private func deleted(
    _ removal: Removal?, _ requests: SentRequests, _ path: String
  ) throws -> WebResponse {
    guard var removal else { return done(requests.numbers, path) }
    try context.served.container.finish(&removal)
    let id = context.handler.removals.add(removal, by: context.actor.name, of: context.name)
    return done(requests.numbers, path, [(Removals.name, id)])
  }

  /// Leads to a view, with one line about the requests that have changed something.
  func done(
    _ numbers: [Int], _ path: String, _ items: [(String, String)] = []
  ) -> WebResponse {
    let sent =
      numbers.map { ("number", String($0)) }
      + (numbers.isEmpty ? [] : [("as", context.actor.choice)])
    let query = ([(ConsoleRequest.noticeName, action.rawValue)] + items + sent)
      .map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
    return WebResponse(to: path + (path.contains("?") ? "&" : "?") + query)
  }

  /// Undoes a deletion.
  private func undo() throws -> WebResponse {
    let id = try form.required(Removals.name)
    guard let entry = context.removals.first(where: { $0.id == id }) else {
      throw WebError(.notFound, "the deletion cannot be undone any more")
    }
    let (restored, left) = try context.served.container.restore(entry.removal)
    context.handler.removals.remove(id, of: context.name)
    return done(
      [], context.link(.changes), [("restored", String(restored)), ("left", String(left))])
  }

  // MARK: Zones

  private func deleteZone() async throws -> WebResponse {
    let zone = try ZoneLocation(formText: try form.required("zone"))
    try context.requireOwn(zone)
    let any = RecordLocation(zone.database, RecordID(recordName: "", zoneID: zone.zoneID))
    let removal = try context.location(of: any).map {
      try context.served.container.removal(of: $0.zone, keepsContent: true)
    }
    return try deleted(removal, try await change("delete", zone), context.link(.zones))
  }

  private func change(_ operation: String, _ zone: ZoneLocation) async throws -> SentRequests {
    let reach = context.actor.reach(zone)
    var requests = SentRequests(context)
    try await requests.modify(
      "zones", operation, ["zoneID": SentRequests.json(reach.zoneID)], in: reach.database)
    return requests
  }

  // MARK: Subscriptions

  private func database() throws -> DatabaseScope {
    guard let scope = DatabaseScope(rawValue: try form.required("database")) else {
      throw WebError(.badRequest, "the form names no database")
    }
    return scope
  }

  /// Makes a subscription of the user.
  private func subscribe() async throws -> WebResponse {
    let scope = try database()
    let zone = try form.value("zone").map { try ZoneLocation(formText: $0) }
    guard zone.map({ $0.database == scope }) ?? true else {
      throw WebError(.badRequest, "the zone is one of another database")
    }
    let type = try form.value("type")
    let subscription: JSONValue = [
      "subscriptionType": type != nil ? "query" : zone != nil ? "zone" : "database",
      "zoneID": zone.map { SentRequests.json(context.actor.reach($0).zoneID) },
      "query": type.map { ["recordType": $0] as JSONValue },
      "firesOn": type.map { _ in ["create", "update", "delete"] },
    ]
    return try await change("create", subscription, in: scope)
  }

  private func change(
    _ operation: String, _ subscription: JSONValue, in scope: DatabaseScope
  ) async throws -> WebResponse {
    var requests = SentRequests(context)
    try await requests.modify("subscriptions", operation, subscription, in: scope)
    return done(requests.numbers, context.link(.overview))
  }

  // MARK: Users

  private func addUser() throws -> WebResponse {
    let names: JSONValue = [
      "givenName": try form.value("givenName"), "familyName": try form.value("familyName"),
    ]
    let user: JSONValue = [
      "userRecordName": try form.required("user"), "emailAddress": try form.value("email"),
      "phoneNumber": try form.value("phone"),
      "nameComponents": names.members?.isEmpty == false ? names : nil,
    ]
    let number = context.handler.addUser(user, to: context.served)
    let entry = context.handler.log.entries.last { $0.number == number }
    return entry.map { $0.status < 400 } == true
      ? done([number], context.link(.users)) : answer([number])
  }

  // MARK: Responses

  /// Leads to the response of the mock. A page that is loaded again sends nothing again.
  func answer(_ numbers: [Int], about record: RecordLocation? = nil) -> WebResponse {
    let items =
      numbers.map { ("number", Optional(String($0))) }
      + [("record", record?.formText), ("as", context.actor.choice)]
    return WebResponse(to: context.link(.requests, items))
  }
}

extension RecordForm {
  /// Returns the form with inputs for another element of a list.
  func addingElement(_ prefix: String) throws -> RecordForm {
    var form = self
    guard let index = form.fields.firstIndex(where: { FieldInput.prefix($0.name) == prefix }) else {
      throw WebError(.badRequest, "the form has no such list")
    }
    guard form.fields[index].items.count < FieldInput.maxItems else {
      form.fields[index].error = "A list has inputs for at most \(FieldInput.maxItems) elements."
      return form
    }
    form.fields[index].items.append(FieldItem())
    return form
  }

  /// Returns the form with inputs for a field that it did not have.
  func addingField(_ sent: ConsoleForm) throws -> RecordForm {
    var form = self
    let name = try sent.text("new-field")
    guard let type = CloudSchema.FieldType(formText: try sent.text("new-type")) else {
      throw WebError(.badRequest, "the form has no type for the new field")
    }
    if name.isEmpty {
      form.errors = ["The new field needs a name."]
    } else if form.fields.contains(where: { $0.name.sameScalars(as: name) }) {
      form.errors = ["The form has the field already."]
    } else {
      form.fields.append(FieldInput(name, type))
    }
    return form
  }
}
