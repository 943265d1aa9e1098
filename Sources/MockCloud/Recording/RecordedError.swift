import Foundation
import RecordCoding
import RecordModel

/// An error of a recorded call that is not one of CloudKit.
public struct RecordedError: Error, Sendable, Hashable {
  /// The name of the error's type.
  public var type: String
  /// The error's description.
  public var message: String

  /// Creates an error.
  public init(type: String, message: String) {
    self.type = type
    self.message = message
  }
}

extension RecordedError: CustomStringConvertible {
  /// The type and the description.
  public var description: String { "\(type): \(message)" }
}

/// The JSON of errors: those of CloudKit as in Web Services' responses, with the parts that such
/// responses do not have.
enum ErrorJSON {
  static func json(_ error: any Error, _ assets: inout AssetCollector) throws -> JSONValue {
    guard let error = error as? CloudError else {
      let recorded =
        error as? RecordedError
        ?? RecordedError(type: "\(Swift.type(of: error))", message: "\(error)")
      return .object([
        .init("type", .string(recorded.type)), .init("message", .string(recorded.message)),
      ])
    }
    var members = try error.jsonValue().members ?? []
    if !error.partialErrors.isEmpty {
      let items = try error.partialErrors.sorted { $0.key < $1.key }.map { id, error in
        JSONValue.object([
          .init("id", try id.jsonValue()), .init("error", try json(error, &assets)),
        ])
      }
      members.append(.init("partialErrors", .array(items)))
    }
    if let conflict = error.conflict {
      members.append(.init("conflict", try json(conflict, &assets)))
    }
    if let violation = error.violation {
      members.append(.init("violation", try violation.jsonValue()))
    }
    return .object(members)
  }

  /// Each record of a conflict has a list of its own of the contents: the same asset may be with its
  /// content in the client's record and without in that of the server, or in another record.
  private static func json(
    _ conflict: CloudError.Conflict, _ assets: inout AssetCollector
  ) throws -> JSONValue {
    var records: [JSONValue.Member] = []
    var contents: [JSONValue.Member] = []
    func add(_ name: String, _ body: (inout AssetCollector) throws -> JSONValue?) throws {
      let (json, digests) = try assets.apart(body)
      if let json { records.append(.init(name, json)) }
      if !digests.isEmpty {
        contents.append(.init(name, .array(digests.map(JSONValue.string))))
      }
    }
    try add("serverRecord") { assets in
      try conflict.serverRecord.map { try assets.strip($0).jsonValue() }
    }
    try add("clientRecord") { assets in
      try conflict.clientRecord.map { try assets.strip($0).jsonValue() }
    }
    try add("ancestorRecord") { assets in
      try conflict.ancestorRecord.map { try assets.strip($0).jsonValue() }
    }
    let fields =
      (conflict.serverRecord?.fields.map(\.self) ?? [])
      + (conflict.clientRecord?.fields.map(\.self) ?? [])
      + (conflict.ancestorRecord?.fields.map(\.self) ?? [])
    if fields.contains(where: { !$0.value.assets.isEmpty }) {
      records.append(.init("contents", .object(contents)))
    }
    return .object(records)
  }

  static func error(_ json: JSONValue, _ contents: RecordedContents) throws -> any Error {
    if json["type"] != nil {
      var members = try MemberReader(json, "an error")
      return RecordedError(
        type: try members.required("type"), message: try members.required("message"))
    }
    return try cloudError(json, contents)
  }

  static func cloudError(
    _ json: JSONValue, _ contents: RecordedContents
  ) throws -> CloudError {
    var error = try CloudError(json: json)
    var members = try MemberReader(json, "an error")
    let items = try members.read("partialErrors") { json in
      try json.expectElements { json in
        var item = try MemberReader(json, "the error of a record")
        let id = try item.required("id", RecordID.self)
        return (id, try item.require("error") { try cloudError($0, contents) })
      }
    }
    for (id, itemError) in items ?? [] { error.partialErrors[id] = itemError }
    error.conflict = try members.read("conflict") { json in
      var records = try MemberReader(json, "a conflict")
      let lists = try records.read("contents") { try MemberReader($0, "the contents") }
      /// Without lists, the contents are those of the whole call.
      func own(_ name: String) throws -> [String: Data] {
        guard var lists else { return contents.ofCall }
        return contents.of(try lists.value(name, [String].self) ?? [])
      }
      return CloudError.Conflict(
        serverRecord: try records.value("serverRecord", ResultRecord.self)?
          .adding(own("serverRecord")),
        clientRecord: try records.value("clientRecord", DraftRecord.self)?
          .adding(own("clientRecord")),
        ancestorRecord: try records.value("ancestorRecord", ResultRecord.self)?
          .adding(own("ancestorRecord")))
    }
    error.violation = try members.value("violation")
    return error
  }
}

extension LimitViolation.Limit: JSONWord {}

extension LimitViolation: JSONConvertible {
  package init(json: JSONValue, _ context: MappingContext) throws {
    var members = try MemberReader(json, "a violation of a limit", context)
    let key = try members.value("key", String.self)
    let subject: Subject
    if let id = try members.value("record", RecordID.self) {
      subject = .record(id, key: key)
    } else if let id = try members.value("zone", ZoneID.self) {
      subject = .zone(id)
    } else if let name = try members.value("recordType", String.self) {
      subject = .recordType(name)
    } else {
      subject = .subscription(try members.required("subscription"))
    }
    self.init(
      try members.required("limit"), subject, found: try members.required("found"),
      allowed: try members.required("allowed"))
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = MemberWriter()
    try members.add("limit", limit)
    switch subject {
    case .record(let id, let key):
      try members.add("record", id)
      members.add("key", key)
    case .zone(let id): try members.add("zone", id)
    case .recordType(let name): members.add("recordType", name)
    case .subscription(let name): members.add("subscription", name)
    }
    members.add("found", found)
    members.add("allowed", allowed)
    return members.value
  }
}
