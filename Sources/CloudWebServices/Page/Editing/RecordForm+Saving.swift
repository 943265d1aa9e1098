import Foundation
import RecordCoding
import RecordModel
import RecordText

/// The outcome of a form that was sent.
enum FormOutcome {
  /// The requests that were sent, the last of them the save, and the record.
  case saved([Int], RecordLocation)
  /// An input is wrong, or the mock rejected the request.
  case failed(RecordForm, ServiceReply?)
}

extension RecordForm {
  /// Sends the requests of a save: for the contents of assets first.
  func save(_ context: ConsoleRequest) async throws -> FormOutcome {
    var form = self
    let original = try original(context)
    if source != nil, original == nil {
      form.errors = [
        "The record that is duplicated has changed since the form was opened. Duplicate it again."
      ]
      return .failed(form, nil)
    }
    let values = try form.outcomes(original, context)
    guard form.fields.allSatisfy({ $0.error == nil }) else { return .failed(form, nil) }
    do {
      return try await saved(values, original, context)
    } catch let rejected as RejectedRequest {
      return .failed(form.marking(rejected.reply.error), rejected.reply)
    }
  }

  private func saved(
    _ values: [(field: FieldInput, outcome: FieldInput.Outcome)], _ original: ResultRecord?,
    _ context: ConsoleRequest
  ) async throws -> FormOutcome {
    let stored = source ?? (isNew ? nil : RecordLocation(zone.database, recordID))
    var save = RecordSave(
      zone: zone, recordType: recordType, stored: stored, requests: SentRequests(context))
    for (field, outcome) in values {
      let isEncrypted = field.type.isEncrypted
      switch outcome {
      case .remove: if !isNew { save.fields.append(.init(field.name, .null)) }
      case .set(let value):
        try save.add(Field(name: field.name, value: value, isEncrypted: isEncrypted))
      case .keep: continue
      case .assets(let sources):
        try await save.add(
          sources, to: field.name, isList: field.type.isList, isEncrypted: isEncrypted)
      }
    }
    // Values of unknown types have no inputs.
    let names = NameSet(fields.map(\.name))
    for field in original.map({ Array($0.fields) }) ?? [] where !names.contains(field.name) {
      try save.add(field)
    }
    let parent: JSONValue? =
      parentName.isEmpty
      ? isNew || openedParent.isEmpty ? nil : .null
      : isNew || parentName != openedParent ? ["recordName": parentName] : nil
    let reply = try await save.send(
      isNew ? "create" : "update",
      [
        "recordName": recordName.isEmpty ? nil : recordName, "recordChangeTag": tag,
        "parent": parent,
      ])
    let name = reply.json?["records"]?.elements?.first?["recordName"]?.string ?? recordName
    let recordID = RecordID(recordName: name, zoneID: zone.zoneID)
    return .saved(save.requests.numbers, RecordLocation(zone.database, recordID))
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

  /// Returns the record that this one is a copy of; nil if it is not as it was when the form was
  /// opened.
  private func original(_ context: ConsoleRequest) throws -> ResultRecord? {
    guard isNew, let source else { return nil }
    let record = try context.record(at: source)
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

/// The requests that save a record, as a client sends them. For the content of an asset, it asks for an
/// address, sends the file there, and gets the value of the field. For an asset that a record has, it
/// asks for the value alone.
struct RecordSave {
  /// The zone in the container.
  let zone: ZoneLocation
  let recordType: String
  /// The record that has the stored assets; nil if there is none.
  let stored: RecordLocation?
  var requests: SentRequests
  /// The fields of the record as the request has them.
  var fields: [JSONValue.Member] = []

  /// Adds a field without assets.
  mutating func add(_ field: Field) throws {
    let zoneID = requests.context.actor.reach(zone).zoneID
    // Requests call assets otherwise than records do.
    let json = try field.dictionary(in: zoneID).mappingMembers { member in
      member.name == "type" && member.value.string == "ASSET" ? .string("ASSETID") : member.value
    }
    fields.append(.init(field.name, json))
  }

  /// Adds a field of assets, and sends their contents.
  mutating func add(
    _ sources: [FieldInput.AssetSource], to name: String, isList: Bool, isEncrypted: Bool
  ) async throws {
    var assets: [Asset] = []
    var known: [JSONValue]?
    for source in sources {
      switch source {
      case .stored(let place):
        if known == nil { known = try await storedAssets(name) }
        guard let known, place < known.count else {
          throw WebError(.badRequest, "the record does not have the asset any more")
        }
        assets.append(try Asset(json: known[place], DecodingContext()))
      case .file(let content):
        let item: JSONValue = ["recordType": recordType, "fieldName": name]
        let reply = try await ask("upload", "tokens", item, in: zone)
        guard let url = reply.json?["tokens"]?.elements?.first?["url"]?.string,
          let path = URL(string: url)?.path(percentEncoded: true)
        else { throw RejectedRequest(sent: requests, reply: reply) }
        let receipt = try await requests.upload(content, to: path)
        assets.append(try Asset(json: receipt, DecodingContext()))
      }
    }
    let value: RecordValue =
      isList ? .assetList(assets) : assets.first.map(RecordValue.asset) ?? .emptyList
    try add(Field(name: name, value: value, isEncrypted: isEncrypted))
  }

  private mutating func storedAssets(_ fieldName: String) async throws -> [JSONValue] {
    guard let stored else { return [] }
    let item: JSONValue = ["recordName": stored.recordID.recordName, "fieldName": fieldName]
    let reply = try await ask("rereference", "assets", item, in: stored.zone)
    return reply.json?["assets"]?.elements ?? []
  }

  private mutating func ask(
    _ endpoint: String, _ items: String, _ item: JSONValue, in zone: ZoneLocation
  ) async throws -> ServiceReply {
    let reach = requests.context.actor.reach(zone)
    return try await requests.send(
      "assets/\(endpoint)", in: reach.database,
      ["zoneID": SentRequests.json(reach.zoneID), items: [item]])
  }

  /// Sends the save.
  ///
  /// - Parameter record: the members of the record beside its type and fields.
  mutating func send(_ operation: String, _ record: JSONValue) async throws -> ServiceReply {
    let record =
      [.init("recordType", .string(recordType))] + (record.members ?? [])
      + [.init("fields", .object(fields))]
    let reach = requests.context.actor.reach(zone)
    return try await requests.modify(operation, .object(record), in: reach)
  }
}
