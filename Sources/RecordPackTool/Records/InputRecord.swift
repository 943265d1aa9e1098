import Foundation
import RecordCoding
import RecordModel

/// A record to save, as a file or the command line gives it.
struct InputRecord {
  /// A field to set or to remove.
  enum Value {
    /// A field of a record dictionary, `{"type":…,"value":…}`; the type may be missing.
    case json(JSONValue)
    /// Text, which the type of the field decides about.
    case text(String)
    /// The file of an asset.
    case file(URL)
    case removed
  }

  /// Where the record stands, for errors.
  var place: String
  /// The file and line of the record; nil for the command line.
  var line: (file: String, number: Int)?
  var database: DatabaseScope?
  var zoneID: ZoneID?
  var recordName: String?
  var recordType: String?
  var fields: [(name: String, value: Value)] = []
  /// The members of the dictionary without its fields; nil for the command line.
  var dictionary: JSONValue?

  /// Returns an error of this record.
  func failure(_ problem: String) -> CommandError {
    var members: [JSONValue.Member] = []
    if let line {
      members = [.init("file", .string(line.file)), .init("line", .integer(line.number))]
    }
    if let recordName { members.append(.init("record", .string(recordName))) }
    return CommandError(
      place + (recordName.map { ", record '\($0)'" } ?? "") + ": " + problem, at: members)
  }
}

extension InputRecord {
  /// Creates it from a record dictionary, or from a record line of a bundle.
  init(json: JSONValue, in file: String, line: Int) throws {
    place = "'\(file)', line \(line)"
    self.line = (file, line)
    guard json.members != nil else {
      throw failure("found \(json.kind), expected an object: a record")
    }
    recordName = try text("recordName", of: json)
    recordType = try text("recordType", of: json)
    for name in ["records", "operations"] where json["recordName"] == nil && json[name] != nil {
      throw failure(
        "found an object with '\(name)', expected a record; 'recordpack import --from "
          + "web-services' reads responses")
    }
    if let kind = json["kind"], kind.string != "record" {
      throw failure(
        "found a line of the kind \(kind.string.map { "'\($0)'" } ?? kind.kind), expected a record"
          + "; 'recordpack import' reads bundles")
    }
    if let deleted = json["deleted"], deleted.bool != false, !deleted.isNull {
      throw failure("found a deleted record; 'recordpack delete' deletes records")
    }
    if let database = json["database"] {
      guard let scope = database.string.flatMap(DatabaseScope.init(rawValue:)) else {
        throw failure("database: found \(database.shown), expected public, private or shared")
      }
      self.database = scope
    }
    try reading {
      zoneID = try json["zoneID"].map { json in
        do {
          return try ZoneID(json: json)
        } catch let error as RecordCodingError {
          throw error.inside(member: "zoneID")
        }
      }
    }
    dictionary = json.dropping(["kind", "database", "fields", "deleted", "keyedArchive"])
    guard let fields = json["fields"] else {
      throw failure(
        "it has no member 'fields'; 'recordpack show --json' and 'recordpack query --json' write "
          + "records with fields, and \"fields\":{} is a record without any")
    }
    guard let members = fields.members else {
      throw failure("fields: found \(fields.kind), expected an object")
    }
    self.fields = try members.map { ($0.name, try value($0)) }
  }

  /// Returns a member that must be a string; nil if there is none.
  private func text(_ name: String, of json: JSONValue) throws -> String? {
    guard let value = json[name] else { return nil }
    guard let text = value.string else {
      throw failure("\(name): found \(value.kind), expected a string")
    }
    return text
  }

  /// Reads a field. As in Web Services, null removes it.
  private func value(_ member: JSONValue.Member) throws -> Value {
    if member.value.isNull { return .removed }
    guard member.value.members != nil else {
      throw failure(
        "fields.\(member.name): found \(member.value.kind), expected an object with the member "
          + "'value'")
    }
    return .json(member.value)
  }

  /// Runs `body`, and adds the place of the record to its errors.
  func reading<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch var error as RecordCodingError {
      // The place names the line.
      error.offset = nil
      throw failure("\(error)")
    } catch let error as CloudError {
      throw failure("\(error)")
    }
  }
}
