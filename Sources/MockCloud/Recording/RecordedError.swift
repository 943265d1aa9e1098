import Foundation
import RecordCoding
import RecordModel

/// An error of a recorded call that is not a `CloudError`.
public struct RecordedError: Error, Sendable, Hashable {
  /// The name of the error's type.
  public let type: String
  /// The error's description.
  public let message: String

  package init(type: String, message: String) {
    self.type = type
    self.message = message
  }
}

extension RecordedError: CustomStringConvertible, LocalizedError {
  /// The type and the description.
  public var description: String { "\(type): \(message)" }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
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
    if !error.partialErrorsByItemID.isEmpty {
      let items = try error.partialErrorsByItemID.sorted { $0.key < $1.key }.map { id, error in
        JSONValue.object([
          .init("id", try id.jsonValue()), .init("error", try json(error, &assets)),
        ])
      }
      members.append(.init("partialErrors", .array(items)))
    }
    if let conflict = error.conflict {
      members.append(.init("conflict", try json(conflict, &assets)))
    }
    return .object(members)
  }

  private static func json(
    _ conflict: CloudError.Conflict, _ assets: inout AssetCollector
  ) throws -> JSONValue {
    var members = JSONObjectWriter()
    try members.add("serverRecord", conflict.serverRecord.map { assets.strip($0) })
    try members.add("clientRecord", conflict.clientRecord.map { assets.strip($0) })
    try members.add("ancestorRecord", conflict.ancestorRecord.map { assets.strip($0) })
    return members.value
  }

  static func error(_ json: JSONValue, _ contents: [String: Data]) throws -> any Error {
    if json["type"] != nil {
      var members = try JSONObjectReader(json, "an error")
      return RecordedError(
        type: try members.required("type"), message: try members.required("message"))
    }
    return try cloudError(json, contents)
  }

  static func cloudError(
    _ json: JSONValue, _ contents: [String: Data]
  ) throws -> CloudError {
    var error = try CloudError(json: json)
    var members = try JSONObjectReader(json, "an error")
    let items = try members.read("partialErrors") { json in
      try json.expectElements { json in
        var item = try JSONObjectReader(json, "the error of a record")
        let id = try item.required("id", RecordID.self)
        return (id, try item.require("error") { try cloudError($0, contents) })
      }
    }
    for (id, itemError) in items ?? [] { error.partialErrorsByItemID[id] = itemError }
    error.conflict = try members.read("conflict") { json in
      var records = try JSONObjectReader(json, "a conflict")
      return CloudError.Conflict(
        serverRecord: try records.value("serverRecord", ResultRecord.self)?.adding(contents),
        clientRecord: try records.value("clientRecord", DraftRecord.self)?.adding(contents),
        ancestorRecord: try records.value("ancestorRecord", ResultRecord.self)?.adding(contents))
    }
    return error
  }
}
