import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordSchema
import RecordStore

/// Carries out the forms of the console that change records, zones and shares: each sends requests of
/// CloudKit Web Services, as a client does.
struct EditingActions {
  let context: ConsoleRequest
  let form: ConsoleForm

  func response(_ action: PageAction) async throws -> WebResponse {
    switch action {
    case .save: return try await save()
    case .deleteRecord: return try await deleteRecord()
    case .zone: return try await changeZone()
    case .share: return try await SharingActions(context: context, form: form).response()
    case .addUser: return try addUser()
    case .actAs:
      return redirect(
        to: context.link(.users), ["Set-Cookie": context.actor.setCookie(for: context.name)])
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
      return answer(numbers, location)
    case .failed(let failed, let reply):
      var current: ResultRecord?
      if !record.isNew, reply?.error?.code == WebErrorCode.conflict.rawValue {
        current = try context.store.snapshot { snapshot in
          try snapshot.record(for: record.recordID, in: record.zone.database)
        }
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
    var members = JSONObjectWriter()
    members.add("recordName", record.recordID.recordName)
    members.add("recordChangeTag", try form.value("tag"))
    let operation = JSONValue.object([
      .init("operationType", .string("delete")), .init("record", members.value),
    ])
    let reply = try await ServiceCall(
      scope: reach.database, endpoint: "records/modify",
      body: .object([
        .init("zoneID", ServiceCall.json(reach.zoneID)), .init("operations", .array([operation])),
      ])
    ).send(context)
    return answer([reply.number], record)
  }

  // MARK: Zones

  private func changeZone() async throws -> WebResponse {
    let kind = try form.required("operation")
    guard ["create", "delete"].contains(kind) else {
      throw WebError(.badRequest, "a zone is created or deleted")
    }
    let zone: ZoneLocation
    if kind == "create" {
      zone = context.actor.ownZone(try form.required("name"))
    } else {
      guard try form.value("confirmed") != nil else {
        throw WebError(.badRequest, "the deletion of a zone is confirmed")
      }
      zone = try ZoneLocation(formText: try form.required("zone"))
    }
    let reach = context.actor.reach(zone)
    let operation = JSONValue.object([
      .init("operationType", .string(kind)),
      .init("zone", .object([.init("zoneID", ServiceCall.json(reach.zoneID))])),
    ])
    let reply = try await ServiceCall(
      scope: reach.database, endpoint: "zones/modify",
      body: .object([.init("operations", .array([operation]))])
    ).send(context)
    return answer([reply.number], nil)
  }

  // MARK: Users

  private func addUser() throws -> WebResponse {
    var members = JSONObjectWriter()
    members.add("userRecordName", try form.required("user"))
    members.add("emailAddress", try form.value("email"))
    members.add("phoneNumber", try form.value("phone"))
    let names = try ["givenName", "familyName"].compactMap { name in
      try form.value(name).map { JSONValue.Member(name, .string($0)) }
    }
    if !names.isEmpty { members.add("nameComponents", .object(names)) }
    return answer([context.handler.addUser(members.value, to: context.served)], nil)
  }

  // MARK: Responses

  /// Leads to the response of the mock. A page that is loaded again sends nothing again.
  func answer(_ numbers: [Int], _ record: RecordLocation?) -> WebResponse {
    let items =
      numbers.map { ("number", Optional(String($0))) }
      + [("record", record?.formText), ("as", context.actor.choice)]
    return redirect(to: context.link(.answer, items))
  }

  private func redirect(to path: String, _ headers: WebHeaders = [:]) -> WebResponse {
    var headers = headers
    headers["Location"] = path
    return WebResponse(status: 303, headers: headers)
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
