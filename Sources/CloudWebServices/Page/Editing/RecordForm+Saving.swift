import Foundation
import RecordCoding
import RecordModel
import RecordStore
import RecordText

/// The outcome of a form that was sent.
enum FormOutcome {
  /// The requests that were sent, the last of them the save, and the record.
  case saved([Int], RecordLocation)
  /// An input is wrong, or the mock rejected the request.
  case failed(RecordForm, ServiceCall.Reply?)
}

extension RecordForm {
  /// Sends the requests of a save: for the contents of assets first.
  func save(_ context: ConsoleRequest) async throws -> FormOutcome {
    var form = self
    let reach = context.actor.reach(zone)
    let original = try original(context)
    if source != nil, original == nil {
      form.errors = [
        "The record that is duplicated has changed since the form was opened. Duplicate it again."
      ]
      return .failed(form, nil)
    }
    let values = try form.outcomes(original, context)
    guard form.fields.allSatisfy({ $0.error == nil }) else { return .failed(form, nil) }
    var requests: [Int] = []
    var members: [JSONValue.Member] = []
    for (field, outcome) in values {
      switch outcome {
      case .remove: if !isNew { members.append(.init(field.name, .null)) }
      case .set(let value):
        members.append(.init(field.name, try json(field, value, in: reach.zoneID)))
      case .keep: continue
      case .assets(let sources):
        let upload = AssetUpload(context: context, zone: zone, recordType: recordType)
        let record = source ?? (isNew ? nil : RecordLocation(zone.database, recordID))
        switch try await upload.assets(sources, of: field.name, in: record, &requests) {
        case .failure(let reply): return .failed(form.marking(reply.error), reply)
        case .success(let assets):
          let value: RecordValue =
            field.type.isList
            ? .assetList(assets) : assets.first.map(RecordValue.asset) ?? .emptyList
          members.append(.init(field.name, try json(field, value, in: reach.zoneID)))
        }
      }
    }
    // Values of unknown types have no inputs.
    let names = NameSet(fields.map(\.name))
    if let original {
      for field in original.fields where !names.contains(field.name) {
        members.append(.init(field.name, try ServiceCall.json(field, in: reach.zoneID)))
      }
    }
    let reply = try await ServiceCall.modify(
      isNew ? "create" : "update", record(members), in: reach
    ).send(context)
    if let error = reply.error { return .failed(form.marking(error), reply) }
    let name = reply.json?["records"]?.elements?.first?["recordName"]?.string ?? recordName
    let saved = RecordLocation(
      zone.database, RecordID(recordName: name, zoneID: zone.zoneID))
    return .saved(requests + [reply.number], saved)
  }

  /// Reads the inputs, and notes the errors of those that cannot be read.
  private mutating func outcomes(
    _ original: ResultRecord?, _ context: ConsoleRequest
  ) throws -> [(field: FieldInput, outcome: FieldInput.Outcome)] {
    var values: [(field: FieldInput, outcome: FieldInput.Outcome)] = []
    for index in fields.indices {
      let field = fields[index]
      fields[index].error = nil
      // A form that is not changed asks for nothing, even for a value that it cannot read.
      guard isNew || !field.isUnchanged else { continue }
      if let copied = original.flatMap({ field.copied(from: $0) }) {
        values.append((field, copied))
        continue
      }
      do {
        let outcome = try field.outcome(in: zone.zoneID, visible: context.actor.visible)
        values.append((field, outcome))
      } catch let error as InputError {
        fields[index].error = error.reason
      }
    }
    return values
  }

  /// The record in the request that saves it.
  private func record(_ fields: [JSONValue.Member]) -> JSONValue {
    let parent: JSONValue? =
      parentName.isEmpty
      ? isNew || openedParent.isEmpty ? nil : .null
      : isNew || parentName != openedParent ? ["recordName": parentName] : nil
    return [
      "recordType": recordType, "recordName": recordName.isEmpty ? nil : recordName,
      "recordChangeTag": tag, "parent": parent, "fields": JSONValue.object(fields),
    ]
  }

  private func json(
    _ field: FieldInput, _ value: RecordValue, in zoneID: ZoneID
  ) throws -> JSONValue {
    try ServiceCall.json(
      Field(name: field.name, value: value, isEncrypted: field.type.isEncrypted), in: zoneID)
  }

  /// Returns the record that this one is a copy of; nil if it is not as it was when the form was
  /// opened.
  private func original(_ context: ConsoleRequest) throws -> ResultRecord? {
    guard isNew, let source else { return nil }
    let record = try context.store.snapshot {
      try $0.record(for: source.recordID, in: source.database)
    }
    return record?.recordChangeTag ?? "" == sourceTag ? record : nil
  }

  /// Returns the form with the error of a response, also at the field that its message names.
  func marking(_ error: (code: String, reason: String)?) -> RecordForm {
    guard let error else { return self }
    var form = self
    form.errors = [[error.code, error.reason].filter { !$0.isEmpty }.joined(separator: ": ")]
    for index in form.fields.indices
    where error.reason.contains("'\(form.fields[index].name)'")
      || error.reason.contains("field \(form.fields[index].name)")
    {
      form.fields[index].error = error.reason
    }
    return form
  }
}

extension FieldInput {
  /// Returns the outcome of a field of a copy whose value the form does not show as it is; nil for
  /// other fields, and for inputs that were changed.
  fileprivate func copied(from original: ResultRecord) -> Outcome? {
    guard isUnchanged, let field = original.field(named: name),
      let shown = FieldInput(field, declared: type, in: original.recordID.zoneID),
      shown.blank == .keep || shown.items.contains(where: \.isLossy)
    else { return nil }
    let value = field.value
    return value.isOfAssets
      ? .assets(value.assets.indices.map { .stored(place: $0) }) : .set(value)
  }
}

extension ServiceCall {
  /// Returns a field as requests have it, which call assets otherwise than records do.
  static func json(_ field: Field, in zoneID: ZoneID) throws -> JSONValue {
    try field.dictionary(in: zoneID).mappingMembers { member in
      member.name == "type" && member.value.string == "ASSET" ? .string("ASSETID") : member.value
    }
  }

  /// A zone in the body of a request.
  static func json(_ zoneID: ZoneID) -> JSONValue {
    let isOwn = zoneID.ownerName == ZoneID.currentUserOwnerName
    return [
      "zoneName": zoneID.zoneName, "ownerRecordName": isOwn ? nil : zoneID.ownerName,
    ]
  }
}

/// Sends the contents of assets, as a client does: it asks for an address, sends the file there, and
/// gets the value of the field. For an asset that a record has, it asks for the value alone.
struct AssetUpload {
  let context: ConsoleRequest
  let zone: ZoneLocation
  let recordType: String

  enum Outcome {
    case success([Asset])
    case failure(ServiceCall.Reply)
  }

  /// - Parameters:
  ///   - record: the record that has the stored assets; nil if there is none.
  ///   - requests: gets the numbers of the requests that were sent.
  func assets(
    _ sources: [FieldInput.AssetSource], of fieldName: String, in record: RecordLocation?,
    _ requests: inout [Int]
  ) async throws -> Outcome {
    var stored: [JSONValue] = []
    let hasStored = sources.contains { if case .stored = $0 { true } else { false } }
    if hasStored, let record {
      let item: JSONValue = [
        "recordName": record.recordID.recordName, "fieldName": fieldName,
      ]
      let reply = try await call("rereference", "assets", item, in: record.zone).send(context)
      requests.append(reply.number)
      if reply.error != nil { return .failure(reply) }
      stored = reply.json?["assets"]?.elements ?? []
    }
    var assets: [Asset] = []
    for source in sources {
      switch source {
      case .stored(let place):
        guard place < stored.count else {
          throw WebError(.badRequest, "the record does not have the asset any more")
        }
        assets.append(try Asset(json: stored[place], DecodingContext()))
      case .file(let content):
        let item: JSONValue = ["recordType": recordType, "fieldName": fieldName]
        let reply = try await call("upload", "tokens", item, in: zone).send(context)
        requests.append(reply.number)
        guard let url = reply.json?["tokens"]?.elements?.first?["url"]?.string,
          let path = URL(string: url)?.path(percentEncoded: true)
        else { return .failure(reply) }
        let (response, number) = await context.handler.answered(
          WebRequest("POST", path, headers: context.hostHeader, body: content))
        requests.append(number)
        let sent = ServiceCall.Reply(number: number, response)
        guard let receipt = sent.json?["singleFile"] else { return .failure(sent) }
        assets.append(try Asset(json: receipt, DecodingContext()))
      }
    }
    return .success(assets)
  }

  private func call(
    _ endpoint: String, _ items: String, _ item: JSONValue, in zone: ZoneLocation
  ) -> ServiceCall {
    let reach = context.actor.reach(zone)
    return ServiceCall(
      scope: reach.database, endpoint: "assets/\(endpoint)",
      body: ["zoneID": ServiceCall.json(reach.zoneID), items: [item]])
  }
}
